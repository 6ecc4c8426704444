/**
 * Observation: an immutable snapshot of a cluster and everything that belongs to it.
 *
 * <p>Reading order: {@link Observed} and the views in it, {@link NodeReport} with {@link
 * ReportSource}, {@link MemberStates}, then {@link Observer}, which reads everything from the API
 * itself (a cache could be behind the operator's own writes).
 *
 * <p>Imports api, resources, Fabric8, Jackson and the JDK's HTTP client.
 */
@NullMarked
package dev.kvorum.operator.observe;

import org.jspecify.annotations.NullMarked;
