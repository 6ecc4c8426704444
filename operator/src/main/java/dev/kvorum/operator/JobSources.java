package dev.kvorum.operator;

import dev.kvorum.operator.resources.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Watches the Jobs that are made for objects of one kind, and their pods. */
final class JobSources {
  private JobSources() {}

  /**
   * The sources of events.
   *
   * @param label value of the name label of these Jobs and pods; their instance label names the
   *     object
   */
  static <P extends HasMetadata> List<EventSource<?, P>> of(
      Class<P> kind, String label, EventSourceContext<P> context) {
    return List.of(
        source(Job.class, kind, label, context), source(Pod.class, kind, label, context));
  }

  private static <T extends HasMetadata, P extends HasMetadata> EventSource<T, P> source(
      Class<T> watched, Class<P> kind, String label, EventSourceContext<P> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(watched, kind)
            .withLabelSelector(Labels.NAME_LABEL + "=" + label)
            .withSecondaryToPrimaryMapper(JobSources::owner)
            .withNamespacesInheritedFromController()
            .build(),
        context);
  }

  private static Set<ResourceID> owner(HasMetadata object) {
    Map<String, String> labels = object.getMetadata().getLabels();
    String name = labels == null ? null : labels.get(Labels.INSTANCE_LABEL);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, object.getMetadata().getNamespace()));
  }
}
