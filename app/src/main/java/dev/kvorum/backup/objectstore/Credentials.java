package dev.kvorum.backup.objectstore;

import java.util.Map;
import java.util.Optional;

/** A key of an S3 store. */
public record Credentials(
    String accessKeyId, String secretAccessKey, Optional<String> sessionToken) {
  /** For stores that need none. */
  public static final Credentials NONE = new Credentials("", "", Optional.empty());

  static final String ID = "AWS_ACCESS_KEY_ID";
  static final String SECRET = "AWS_SECRET_ACCESS_KEY";
  static final String TOKEN = "AWS_SESSION_TOKEN";

  /**
   * The credentials in the variables that AWS's tools use, {@link #NONE} if they are not set.
   * Blanks around values, such as the line ends of files that they came from, do not count.
   *
   * @throws IllegalArgumentException if only one of the key's parts is there
   */
  public static Credentials ofEnvironment(Map<String, String> environment) {
    String id = environment.getOrDefault(ID, "").strip();
    String secret = environment.getOrDefault(SECRET, "").strip();
    String token = environment.getOrDefault(TOKEN, "").strip();
    if (id.isEmpty() && secret.isEmpty()) {
      return NONE;
    }
    if (id.isEmpty() || secret.isEmpty()) {
      throw new IllegalArgumentException(
          (id.isEmpty() ? ID : SECRET)
              + " is missing; set both "
              + ID
              + " and "
              + SECRET
              + ", or neither");
    }
    return new Credentials(id, secret, Optional.of(token).filter(text -> !text.isEmpty()));
  }

  boolean isNone() {
    return accessKeyId.isEmpty();
  }

  /** Without what is secret, for logs. */
  @Override
  public String toString() {
    return isNone() ? "Credentials[none]" : "Credentials[accessKeyId=" + accessKeyId + "]";
  }
}
