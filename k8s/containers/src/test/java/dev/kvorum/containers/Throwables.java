package dev.kvorum.containers;

/** Messages of failures. */
final class Throwables {
  private Throwables() {}

  /** The message of the first cause. */
  static String root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage().strip();
  }
}
