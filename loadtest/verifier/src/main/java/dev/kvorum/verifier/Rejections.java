package dev.kvorum.verifier;

/** What a client may conclude from the status of a write. */
public final class Rejections {
  private Rejections() {}

  /** Whether a write with this answer is surely not stored, now or later. */
  public static boolean isRejected(int status) {
    return switch (status) {
      case 400, 401, 403, 405, 408, 413, 429, 503, 507 -> true;
      default -> false;
    };
  }
}
