package dev.kvorum.operator.job;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.UserReason;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.view.JobUser;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Reads the user that requests of a Job come from. */
public final class JobUserReader {
  /** Reasons that end by themselves: the operator makes the token, and nodes read it. */
  private static final Set<String> SOON_OVER =
      Set.of(UserReason.NOT_YET_IN_EFFECT.label(), UserReason.SECRET_MISSING.label());

  private JobUserReader() {}

  /**
   * A user.
   *
   * @param object as it was read; empty if there is none of this owner, or none is needed
   */
  public record Found(JobUser view, Optional<KvorumUser> object) {
    static Found nothing(JobUser view) {
      return new Found(view, Optional.empty());
    }
  }

  /**
   * Reads a user.
   *
   * @param owner the object that it must belong to, in the namespace of both
   */
  public static Found read(
      KubernetesClient client, HasMetadata owner, String name, KvorumCluster cluster) {
    if (!cluster.getSpec().needsUsers()) {
      return Found.nothing(new JobUser.Unneeded());
    }
    try {
      return find(client, owner.getMetadata().getNamespace(), name)
          .map(user ->
              Labels.isOwned(user, owner)
                  ? new Found(view(user), Optional.of(user))
                  : Found.nothing(new JobUser.Foreign()))
          .orElseGet(() -> Found.nothing(new JobUser.Absent()));
    } catch (KubernetesClientException rejected) {
      if (rejected.getCode() == HttpURLConnection.HTTP_FORBIDDEN
          || rejected.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Found.nothing(
            new JobUser.NotReady(
                "the operator cannot read KvorumUsers: definitions or rights are older than it",
                true));
      }
      throw rejected;
    }
  }

  /** By a list, which fails where the kind is not defined: there, a get finds nothing. */
  private static Optional<KvorumUser> find(KubernetesClient client, String namespace, String name) {
    return client
        .resources(KvorumUser.class)
        .inNamespace(namespace)
        .withField("metadata.name", name)
        .list()
        .getItems()
        .stream()
        .filter(user -> user.getMetadata().getName().equals(name))
        .findFirst();
  }

  private static JobUser view(KvorumUser user) {
    if (user.getMetadata().getDeletionTimestamp() != null) {
      return new JobUser.NotReady("it is being deleted", false);
    }
    Optional<Condition> ready =
        Objects.equals(user.known().observedGeneration(), user.getMetadata().getGeneration())
            ? Conditions.find(user.known().conditions(), "Ready")
            : Optional.empty();
    if (ready.isEmpty()) {
      return new JobUser.NotReady("it has no Ready condition yet", false);
    }
    String reason = ready.get().getReason();
    if (!ready.get().getStatus().equals("True")) {
      return new JobUser.NotReady(
          reason + ": " + ready.get().getMessage(), !SOON_OVER.contains(reason));
    }
    String secret = requireNonNullElse(user.known().secretName(), "");
    return secret.isEmpty()
        ? new JobUser.NotReady("it has no token", true)
        : new JobUser.Ready(secret);
  }
}
