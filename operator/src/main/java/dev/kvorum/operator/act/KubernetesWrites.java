package dev.kvorum.operator.act;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Implements the writes with Fabric8's client. */
public final class KubernetesWrites implements Writes {
  private final KubernetesClient client;

  public KubernetesWrites(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public void create(HasMetadata object) {
    client.resource(object).create();
  }

  @Override
  public void replace(HasMetadata object) {
    client.resource(object).lockResourceVersion(version(object)).update();
  }

  @Override
  public void remove(HasMetadata object) {
    client.resource(object).lockResourceVersion(version(object)).delete();
  }

  @Override
  public void orphan(StatefulSet set) {
    client
        .apps()
        .statefulSets()
        .resource(set)
        .withPropagationPolicy(DeletionPropagation.ORPHAN)
        .delete();
  }

  @Override
  public void delete(Pod pod) {
    client.pods().resource(pod).lockResourceVersion(version(pod)).delete();
  }

  @Override
  public void removeWithPods(Job job) {
    client
        .batch()
        .v1()
        .jobs()
        .resource(job)
        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
        .delete();
  }

  @Override
  public void status(HasMetadata resource) {
    client.resource(resource).lockResourceVersion(version(resource)).updateStatus();
  }

  @Override
  public void event(Event event) {
    client.resource(event).create();
  }

  private static String version(HasMetadata object) {
    return object.getMetadata().getResourceVersion();
  }
}
