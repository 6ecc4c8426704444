package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.loadtest.resources.LoadLabels;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;

/** The reconciler of load tests. */
@ControllerConfiguration(name = "kvorumloadtest")
final class KvorumLoadTestReconciler extends JobReconciler<KvorumLoadTest> {
  KvorumLoadTestReconciler(LoadTestReconciliation reconciliation, ReconcileGuard guard) {
    super(KvorumLoadTest.class, LoadLabels.NAME, reconciliation::once, guard);
  }
}
