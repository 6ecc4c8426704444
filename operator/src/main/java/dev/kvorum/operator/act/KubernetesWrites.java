package dev.kvorum.operator.act;

import dev.kvorum.operator.resources.Labels;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Implements the writes with Fabric8's client. */
public final class KubernetesWrites implements Writes {
  private final KubernetesClient client;
  private final KubernetesClient evictions;
  private final UnaryOperator<HasMetadata> written;

  public KubernetesWrites(KubernetesClient client) {
    this(client, UnaryOperator.identity());
  }

  /**
   * Creates the writes.
   *
   * @param written what is written of objects that are created or replaced
   */
  public KubernetesWrites(KubernetesClient client, UnaryOperator<HasMetadata> written) {
    this.client = client;
    this.written = written;
    // The client would repeat a request that a disruption budget rejects, for minutes.
    RequestConfig once = new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build();
    this.evictions = client.newClient(once).adapt(KubernetesClient.class);
  }

  @Override
  public void create(HasMetadata object) {
    client.resource(written.apply(object)).create();
  }

  @Override
  public void replace(HasMetadata object) {
    client.resource(written.apply(object)).lockResourceVersion(version(object)).update();
  }

  @Override
  public void remove(HasMetadata object) {
    client.resource(object).lockResourceVersion(version(object)).delete();
  }

  @Override
  public void orphan(StatefulSet set) {
    delete(set, DeletionPropagation.ORPHAN);
  }

  @Override
  public void delete(Pod pod) {
    client.pods().resource(pod).lockResourceVersion(version(pod)).delete();
  }

  @Override
  public boolean evict(Pod pod) {
    ObjectMeta metadata = pod.getMetadata();
    Eviction eviction =
        new EvictionBuilder()
            .withNewMetadata()
            .withName(metadata.getName())
            .withNamespace(metadata.getNamespace())
            .endMetadata()
            .withDeleteOptions(
                new DeleteOptionsBuilder()
                    .withNewPreconditions(version(pod), metadata.getUid())
                    .build())
            .build();
    return evictions.pods().resource(pod).evict(eviction);
  }

  @Override
  public void reachable(Pod pod, boolean reachable, Instant now) {
    List<PodCondition> conditions = new ArrayList<>();
    conditions.add(condition(Labels.REACHABLE, reachable, now).build());
    if (!reachable) {
      conditions.add(
          condition("Ready", false, now)
              .withReason("ReadinessGatesNotReady")
              .withMessage("the readiness gate " + Labels.REACHABLE + " is closed")
              .build());
    }
    // A strategic merge changes these conditions only. Another uid is a conflict.
    Map<String, Object> patch =
        Map.of(
            "metadata", Map.of("uid", pod.getMetadata().getUid()),
            "status", Map.of("conditions", conditions));
    client
        .pods()
        .inNamespace(pod.getMetadata().getNamespace())
        .withName(pod.getMetadata().getName())
        .subresource("status")
        .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), Serialization.asJson(patch));
  }

  @Override
  public void usersChanged(Pod pod, String digest) {
    // By way of the status: a right to patch pods themselves would be one to change their images.
    Map<String, Object> patch =
        Map.of(
            "metadata",
            Map.of("uid", pod.getMetadata().getUid(), "annotations", Map.of(Labels.USERS, digest)));
    client
        .pods()
        .inNamespace(pod.getMetadata().getNamespace())
        .withName(pod.getMetadata().getName())
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(patch));
  }

  private static PodConditionBuilder condition(String type, boolean value, Instant now) {
    return new PodConditionBuilder()
        .withType(type)
        .withStatus(value ? "True" : "False")
        .withLastTransitionTime(now.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  @Override
  public void removeWithPods(Job job) {
    delete(job, DeletionPropagation.BACKGROUND);
  }

  /** The client's own deletion takes either a version or a propagation policy. */
  private void delete(HasMetadata object, DeletionPropagation propagation) {
    ObjectMeta metadata = object.getMetadata();
    client.raw(
        "/apis/"
            + object.getApiVersion()
            + "/namespaces/"
            + metadata.getNamespace()
            + "/"
            + object.getPlural()
            + "/"
            + metadata.getName(),
        "DELETE",
        new DeleteOptionsBuilder()
            .withPropagationPolicy(propagation.toString())
            .withNewPreconditions(version(object), metadata.getUid())
            .build());
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
