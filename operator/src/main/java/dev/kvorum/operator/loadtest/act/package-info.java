/**
 * Execution of a load test's step: one write to the API.
 *
 * <p>Reading order: {@link dev.kvorum.operator.loadtest.act.LoadActor}.
 *
 * <p>Imports act, loadtest.observe, loadtest.plan, loadtest.resources, api and Fabric8's model.
 */
@NullMarked
package dev.kvorum.operator.loadtest.act;

import org.jspecify.annotations.NullMarked;
