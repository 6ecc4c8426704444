package dev.kvorum.operator.loadtest.observe;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.UserReason;
import dev.kvorum.operator.loadtest.resources.LoadLabels;
import dev.kvorum.operator.loadtest.resources.LoadUsers;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Reads the user of a load test. */
final class LoadUserReader {
  /** Reasons that end by themselves: the operator makes the token, and nodes read it. */
  private static final Set<String> SOON_OVER =
      Set.of(UserReason.NOT_YET_IN_EFFECT.label(), UserReason.SECRET_MISSING.label());

  private LoadUserReader() {}

  static LoadUser read(KubernetesClient client, KvorumLoadTest test, KvorumCluster cluster) {
    if (!cluster.getSpec().needsUsers()) {
      return new LoadUser.Unneeded();
    }
    try {
      return find(client, test)
          .map(user ->
              LoadLabels.isOwned(user, test) ? LoadUserReader.view(user) : new LoadUser.Foreign())
          .orElseGet(LoadUser.Absent::new);
    } catch (KubernetesClientException refused) {
      if (refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN
          || refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return new LoadUser.NotReady(
            "the operator cannot read KvorumUsers: definitions or rights are older than it", true);
      }
      throw refused;
    }
  }

  /** By a list, which fails where the kind is not defined: there, a get finds nothing. */
  private static Optional<KvorumUser> find(KubernetesClient client, KvorumLoadTest test) {
    String name = LoadUsers.name(test.getMetadata().getName());
    return client
        .resources(KvorumUser.class)
        .inNamespace(test.getMetadata().getNamespace())
        .withField("metadata.name", name)
        .list()
        .getItems()
        .stream()
        .filter(user -> user.getMetadata().getName().equals(name))
        .findFirst();
  }

  private static LoadUser view(KvorumUser user) {
    if (user.getMetadata().getDeletionTimestamp() != null) {
      return new LoadUser.NotReady("it is being deleted", false);
    }
    Optional<Condition> ready =
        Objects.equals(user.known().observedGeneration(), user.getMetadata().getGeneration())
            ? Conditions.find(user.known().conditions(), "Ready")
            : Optional.empty();
    if (ready.isEmpty()) {
      return new LoadUser.NotReady("it has no Ready condition yet", false);
    }
    String reason = ready.get().getReason();
    if (!ready.get().getStatus().equals("True")) {
      return new LoadUser.NotReady(
          reason + ": " + ready.get().getMessage(), !SOON_OVER.contains(reason));
    }
    String secret = requireNonNullElse(user.known().secretName(), "");
    return secret.isEmpty()
        ? new LoadUser.NotReady("it has no token", true)
        : new LoadUser.Ready(secret);
  }
}
