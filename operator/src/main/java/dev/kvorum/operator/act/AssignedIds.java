package dev.kvorum.operator.act;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;

/**
 * Leaves the ids of users and groups out of pods, where the namespace has a range of its own that
 * they are assigned from: OpenShift's restricted-v2 admits no others.
 */
public final class AssignedIds {
  private AssignedIds() {}

  /** Returns an object whose pods name no ids; one that makes no pods is returned as it is. */
  public static HasMetadata in(HasMetadata object) {
    return switch (object) {
      case StatefulSet set ->
          new StatefulSetBuilder(set)
              .editSpec()
              .withTemplate(without(set.getSpec().getTemplate()))
              .endSpec()
              .build();
      case Job job ->
          new JobBuilder(job)
              .editSpec()
              .withTemplate(without(job.getSpec().getTemplate()))
              .endSpec()
              .build();
      default -> object;
    };
  }

  private static PodTemplateSpec without(PodTemplateSpec template) {
    PodSecurityContext assigned =
        new PodSecurityContextBuilder(template.getSpec().getSecurityContext())
            .withRunAsUser(null)
            .withRunAsGroup(null)
            .withFsGroup(null)
            .build();
    return new PodTemplateSpecBuilder(template)
        .editSpec()
        .withSecurityContext(assigned)
        .endSpec()
        .build();
  }
}
