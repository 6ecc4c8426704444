package dev.kvorum.operator.api;

/**
 * An Event to be published.
 *
 * @param type {@code Normal} or {@code Warning}
 * @param reason one word
 * @param message one sentence
 */
public record News(String type, String reason, String message) {
  /** Normal progress. */
  public static News normal(String reason, String message) {
    return new News("Normal", reason, message);
  }

  /** An event that may require action by a user. */
  public static News warning(String reason, String message) {
    return new News("Warning", reason, message);
  }
}
