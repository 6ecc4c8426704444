package dev.kvorum.operator.api;

/**
 * What is to be published as an Event.
 *
 * @param type {@code Normal} or {@code Warning}
 * @param reason in one word
 * @param message a sentence
 */
public record News(String type, String reason, String message) {
  /** Normal progress. */
  public static News normal(String reason, String message) {
    return new News("Normal", reason, message);
  }

  /** What may require action by a user. */
  public static News warning(String reason, String message) {
    return new News("Warning", reason, message);
  }
}
