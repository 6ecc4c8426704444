package dev.kvorum.operator.users;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumRole;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.SecurityProfile;
import dev.kvorum.operator.api.UserReason;
import dev.kvorum.operator.resources.Digests;
import dev.kvorum.operator.resources.Secrets;
import dev.kvorum.operator.resources.UserFileNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The Secrets of a cluster's users: {@code C-auth} with the file that nodes read, and one for each
 * token that the operator makes.
 */
public final class UserSecrets {
  /** What the data of a Secret may have. */
  private static final int BYTES_MAX = 1 << 20;

  private static final Found NOBODY = new Found(List.of(), List.of(), Optional.of(Map.of()));

  private final KvorumCluster cluster;
  private final boolean mayReadSecrets;
  private final Optional<Found> found;
  private final Optional<String> stored;
  private final Optional<String> digest;
  private final Optional<String> kept;
  private final String token;
  private final CompiledUsers compiled;
  private final boolean fits;

  /**
   * What exists for the users of a cluster.
   *
   * @param secrets with tokens, by name; empty if Secrets must not be read
   */
  public record Found(
      List<KvorumUser> users, List<KvorumRole> roles, Optional<Map<String, Secret>> secrets) {
    public Found {
      users = List.copyOf(users);
      roles = List.copyOf(roles);
      secrets = secrets.map(Map::copyOf);
    }
  }

  /**
   * Reads what exists.
   *
   * @param mayReadSecrets whether the operator may read Secrets at all
   * @param found empty if it must not be read, or its kinds are not defined
   * @param stored the Secret {@code C-auth}, if it is the cluster's own
   */
  public UserSecrets(
      KvorumCluster cluster,
      boolean mayReadSecrets,
      Optional<Found> found,
      Optional<Secret> stored) {
    this.cluster = cluster;
    this.mayReadSecrets = mayReadSecrets && found.filter(it -> it.secrets().isEmpty()).isEmpty();
    this.found = found;
    this.stored = stored.map(UserSecrets::file);
    this.digest = this.stored.map(Digests::sha256);
    this.kept = stored.flatMap(OperatorUser::token);
    this.token = kept.orElseGet(OperatorUser::newToken);
    this.compiled = compiled(found.orElse(NOBODY));
    int bytes = compiled.json().getBytes(StandardCharsets.UTF_8).length + token.length();
    this.fits = bytes <= BYTES_MAX;
  }

  private CompiledUsers compiled(Found users) {
    return CompiledUsers.of(
        cluster.getSpec(), token, users.users(), users.roles(), users.secrets().orElse(Map.of()));
  }

  private static String file(Secret secret) {
    Map<String, String> data = secret.getData();
    String text = data == null ? null : data.get(UserFileNames.NAME);
    return text == null ? "" : new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
  }

  /** The Secret with the file, without contents, to find it. */
  public static Secret named(KvorumCluster cluster) {
    return secret(cluster, Map.of());
  }

  private static Secret secret(KvorumCluster cluster, Map<String, String> data) {
    return Secrets.of(cluster, UserFileNames.secret(cluster.getMetadata().getName()), data);
  }

  /**
   * Returns the objects in their desired state: tokens that are missing, and the file with the
   * operator's own token. Where users must not be read, nodes keep those that they have.
   */
  public List<HasMetadata> wanted() {
    List<HasMetadata> wanted = new ArrayList<>();
    if (takesNoUsers() || !mayReadSecrets) {
      return wanted;
    }
    found.ifPresent(it ->
        it.users().stream()
            .filter(TokenSecrets::isMade)
            .filter(user ->
                !it.secrets().orElseThrow().containsKey(TokenSecrets.name(user).orElseThrow()))
            .forEach(user -> wanted.add(TokenSecrets.make(cluster, user))));
    wanted.add(secret(cluster, data()));
    return wanted;
  }

  private Map<String, String> data() {
    Map<String, String> data = new TreeMap<>();
    boolean stays = stored.isPresent() && (found.isEmpty() || !fits);
    if (stays) {
      // A new token would be in no file.
      kept.ifPresent(it -> data.put(OperatorUser.KEY, TokenSecrets.encode(it)));
      data.put(UserFileNames.NAME, TokenSecrets.encode(stored.get()));
    } else {
      data.put(OperatorUser.KEY, TokenSecrets.encode(token));
      data.put(
          UserFileNames.NAME, TokenSecrets.encode((fits ? compiled : compiled(NOBODY)).json()));
    }
    return data;
  }

  /** What the operator proves itself with to nodes; empty if it is no user of theirs yet. */
  public Optional<String> token() {
    return kept;
  }

  private boolean takesNoUsers() {
    return cluster.getSpec().security().profile() == SecurityProfile.OPEN;
  }

  /** Hash of the file that is stored; empty if there is none. */
  public Optional<String> digest() {
    return digest;
  }

  /**
   * Returns the users whose status has changed.
   *
   * @param read by pod, the hash of the users that its node has read; an empty text if unknown
   */
  public List<KvorumUser> reported(Map<String, String> read, Instant now) {
    UserNotice withoutProblem = inEffect(read);
    return found.map(Found::users).orElse(List.of()).stream()
        .map(user -> UserReport.of(user, notice(user, withoutProblem), now))
        .flatMap(Optional::stream)
        .toList();
  }

  private UserNotice notice(KvorumUser user, UserNotice withoutProblem) {
    return ofAll()
        .orElseGet(
            () -> compiled.problems().getOrDefault(user.getMetadata().getName(), withoutProblem));
  }

  /** Why no user has an effect; empty if users can have one. */
  private Optional<UserNotice> ofAll() {
    if (takesNoUsers()) {
      return Optional.of(
          new UserNotice(
              UserReason.OPEN_PROFILE,
              "the cluster takes no users: its security.profile must be standard or strict"));
    }
    if (!mayReadSecrets) {
      return Optional.of(
          new UserNotice(
              UserReason.NO_ACCESS_TO_SECRETS,
              "the operator may not read Secrets: its chart's value operator.secrets must be true"));
    }
    return fits
        ? Optional.empty()
        : Optional.of(
            new UserNotice(
                UserReason.TOO_LARGE,
                "all users of the cluster together need more than the "
                    + BYTES_MAX
                    + " bytes of a Secret: no change has an effect"));
  }

  private UserNotice inEffect(Map<String, String> read) {
    String wanted = Digests.sha256(compiled.json());
    List<String> behind =
        read.entrySet().stream()
            .filter(pod -> !pod.getValue().equals(wanted))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    return behind.isEmpty() && !read.isEmpty()
        ? new UserNotice(UserReason.IN_EFFECT, "all " + read.size() + " nodes have read it")
        : new UserNotice(
            UserReason.NOT_YET_IN_EFFECT,
            read.isEmpty()
                ? "the cluster has no nodes yet"
                : "the last change has not been read by " + String.join(", ", behind));
  }

  /** Whether each node has read what is stored, or there are no users to tell. */
  public boolean areSettled(Map<String, String> read) {
    return found.filter(it -> !it.users().isEmpty()).isEmpty()
        || takesNoUsers()
        || digest.filter(it -> read.values().stream().allMatch(it::equals)).isPresent();
  }
}
