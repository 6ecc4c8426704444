/**
 * Carrying a load test's step out: one write to the API.
 *
 * <p>Reading order: {@link dev.kvorum.operator.loadtest.act.LoadActor}.
 *
 * <p>Imports act, loadtest.observe, loadtest.plan, loadtest.resources and Fabric8's model.
 */
@NullMarked
package dev.kvorum.operator.loadtest.act;

import org.jspecify.annotations.NullMarked;
