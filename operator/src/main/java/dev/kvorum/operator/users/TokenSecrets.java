package dev.kvorum.operator.users;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.AuthenticationType;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.resources.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The Secrets with the tokens of users: the user's own, or one that the operator makes. A token is
 * never changed; a Secret that is deleted is made again with another one.
 */
public final class TokenSecrets {
  /** Key of the token. */
  static final String KEY = "token";

  private static final int RANDOM_BYTES = 32;
  private static final Pattern TOKEN = Pattern.compile("[!-~]{16,1024}");
  private static final SecureRandom RANDOM = new SecureRandom();

  private TokenSecrets() {}

  /** Name of the Secret with a user's token; empty if it proves itself in another way. */
  public static Optional<String> name(KvorumUser user) {
    var authentication = user.getSpec().authentication();
    return authentication.type() != AuthenticationType.TOKEN
        ? Optional.empty()
        : Optional.of(
            authentication.secretRef() == null
                ? user.getMetadata().getName() + "-token"
                : authentication.secretRef().name());
  }

  /** Whether the operator makes the Secret. */
  static boolean isMade(KvorumUser user) {
    return user.getSpec().authentication().type() == AuthenticationType.TOKEN
        && user.getSpec().authentication().secretRef() == null;
  }

  /**
   * Whether a Secret with the name of a user's is deleted with something else, such as an earlier
   * user of that name: its token is not this user's.
   */
  static boolean isForeign(Secret secret, KvorumUser user) {
    return isMade(user)
        && secret.getMetadata().getOwnerReferences().stream()
            .filter(owner -> Boolean.TRUE.equals(owner.getController()))
            .anyMatch(owner -> !owner.getUid().equals(user.getMetadata().getUid()));
  }

  /** A Secret with a new token, which is deleted with its user. */
  static Secret make(KvorumCluster cluster, KvorumUser user) {
    String name = user.getMetadata().getName();
    return new SecretBuilder()
        .withMetadata(
            new ObjectMetaBuilder()
                .withName(name(user).orElseThrow())
                .withNamespace(user.getMetadata().getNamespace())
                .withLabels(Labels.ofUser(cluster.getMetadata().getName(), name))
                .withOwnerReferences(Labels.owner(user))
                .build())
        .withType("Opaque")
        .withData(Map.of(KEY, encode(random(name))))
        .build();
  }

  /** A new token. */
  static String random(String name) {
    byte[] random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    // The prefix lets scanners of sources find a token that has been published.
    return "kvt_" + name + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /** The token in a user's Secret; empty if what is there is none. */
  static Optional<String> token(Secret secret) {
    return token(secret, KEY);
  }

  /** The token under a key of a Secret. Surrounding blanks do not count. */
  static Optional<String> token(Secret secret, String key) {
    String text = requireNonNullElse(secret.getData(), Map.<String, String>of()).get(key);
    return Optional.ofNullable(text)
        .map(it -> new String(Base64.getDecoder().decode(it), StandardCharsets.ISO_8859_1).strip())
        .filter(TOKEN.asMatchPredicate());
  }

  static String encode(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
