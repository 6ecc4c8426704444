/**
 * Views: the state of a cluster and everything that belongs to it, as immutable values.
 *
 * <p>Reading order: {@link Observed} with the views in it, {@link NodeReport}, which a node gives
 * of itself, and {@link MemberStates}. The operator's package {@code observe} reads them from the
 * Kubernetes API; tests make them up.
 *
 * <p>Imports api and Fabric8's model.
 */
@NullMarked
package dev.kvorum.operator.view;

import org.jspecify.annotations.NullMarked;
