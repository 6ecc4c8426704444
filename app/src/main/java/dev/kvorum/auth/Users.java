package dev.kvorum.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Users by what they prove themselves with. A token is found by its hash, of which an attacker can
 * choose no part: how long that takes says nothing about other tokens.
 *
 * @param byToken by SHA-256 of their token, in lower-case hexadecimal digits
 * @param byCertificate by the common name of their client certificate
 * @param byAccount by the namespace and name of their ServiceAccount, with a slash in between
 * @param count how many there are
 */
public record Users(
    Map<String, User> byToken,
    Map<String, User> byCertificate,
    Map<String, User> byAccount,
    int count) {
  private static final String SCHEME = "Bearer ";

  /** No users. */
  static final Users NONE = new Users(Map.of(), Map.of(), Map.of(), 0);

  public Users {
    byToken = Map.copyOf(byToken);
    byCertificate = Map.copyOf(byCertificate);
    byAccount = Map.copyOf(byAccount);
  }

  /** The token of a header for credentials, if it has one. */
  static Optional<String> token(String authorization) {
    return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? Optional.of(authorization.substring(SCHEME.length()).strip())
        : Optional.empty();
  }

  /** The user with a token that has a hash. */
  Optional<User> withHash(String hash) {
    return Optional.ofNullable(byToken.get(hash));
  }

  /** The user with a Kubernetes ServiceAccount. */
  Optional<User> withAccount(String name) {
    return Optional.ofNullable(byAccount.get(name));
  }

  /** Whether a token of a ServiceAccount can be that of a user. */
  public boolean haveAccounts() {
    return !byAccount.isEmpty();
  }

  /** The user with a client certificate. */
  public Optional<User> withCertificate(String commonName) {
    return Optional.ofNullable(byCertificate.get(commonName));
  }

  /** The limits of those that have any, by name. */
  Map<String, UserLimits> limits() {
    Map<String, UserLimits> limits = new HashMap<>();
    Stream.of(byToken, byCertificate, byAccount)
        .flatMap(users -> users.values().stream())
        .filter(user -> user.isLimited())
        .forEach(user -> limits.put(user.name(), user.limits()));
    return limits;
  }

  /** The hash of a token. */
  static String hash(String token) {
    // As the bytes of a header come.
    return sha256(token.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** In lower-case hexadecimal digits. */
  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
