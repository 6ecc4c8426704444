package dev.kvorum.operator.api;

/**
 * An Event to be published.
 *
 * @param type {@code Normal} or {@code Warning}
 * @param reason one word
 * @param message one sentence
 */
public record EventDraft(String type, String reason, String message) {
  /** Normal progress. */
  public static EventDraft normal(String reason, String message) {
    return new EventDraft("Normal", reason, message);
  }

  /** An event that may require action by a user. */
  public static EventDraft warning(String reason, String message) {
    return new EventDraft("Warning", reason, message);
  }
}
