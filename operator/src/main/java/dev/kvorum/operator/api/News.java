package dev.kvorum.operator.api;

/**
 * What is to be told as an Event.
 *
 * @param type {@code Normal} or {@code Warning}
 * @param reason in one word
 * @param message a sentence
 */
public record News(String type, String reason, String message) {
  /** What goes as it should. */
  public static News normal(String reason, String message) {
    return new News("Normal", reason, message);
  }

  /** What somebody may have to do something about. */
  public static News warning(String reason, String message) {
    return new News("Warning", reason, message);
  }
}
