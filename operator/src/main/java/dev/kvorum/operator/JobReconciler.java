package dev.kvorum.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A reconciler that the Java Operator SDK calls for objects that are carried out by Jobs: when the
 * object, one of its Jobs or one of their pods changes, and periodically. Subclasses exist since
 * the SDK reads the kind from a class.
 */
abstract class JobReconciler<P extends HasMetadata> implements Reconciler<P> {
  private final Class<P> kind;
  private final String label;
  private final BiFunction<String, String, Duration> once;
  private final ReconcileGuard guard;

  /**
   * Creates one.
   *
   * @param label value of the name label of the Jobs
   * @param once one reconciliation of a namespace's object of a name, which returns the delay until
   *     the next one
   */
  JobReconciler(
      Class<P> kind,
      String label,
      BiFunction<String, String, Duration> once,
      ReconcileGuard guard) {
    this.kind = kind;
    this.label = label;
    this.once = once;
    this.guard = guard;
  }

  @Override
  public List<EventSource<?, P>> prepareEventSources(EventSourceContext<P> context) {
    guard.follow(context.getPrimaryCache());
    return JobSources.of(kind, label, context);
  }

  @Override
  public UpdateControl<P> reconcile(P object, Context<P> context) {
    String namespace = object.getMetadata().getNamespace();
    String name = object.getMetadata().getName();
    Duration next = guard.run(name, () -> once.apply(namespace, name));
    return UpdateControl.<P>noUpdate().rescheduleAfter(next);
  }
}
