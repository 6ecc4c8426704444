package dev.kvorum.chaos.history;

/**
 * One request of one client, and what came of it.
 *
 * @param client who sent it; a client sends one at a time
 * @param kind what was asked
 * @param all whether all replicas had to answer, not only a majority
 * @param key the key
 * @param value what was written or read, empty when there is none; never written twice
 * @param ttlMillis how long it should live, 0 for ever
 * @param version the ETag of the answer, empty when there is none
 * @param node the node that was asked
 * @param skewMillis how far that node's clock is set ahead of the machine's
 * @param startNanos before it was sent, on the history's clock
 * @param endNanos after the answer came or the client stopped waiting
 * @param outcome what the client may conclude
 * @param status the answer's HTTP status, 0 without an answer
 */
public record Operation(
    String client,
    Kind kind,
    boolean all,
    String key,
    String value,
    long ttlMillis,
    String version,
    String node,
    long skewMillis,
    long startNanos,
    long endNanos,
    Outcome outcome,
    int status) {
  private static final int VERSION_MILLIS_DIGITS = 12;

  /** What is asked of a key. */
  public enum Kind {
    PUT,
    GET,
    DELETE,
    /**
     * Read in a range. It shows what a read would, but repairs nothing: a later read may see less
     * of what was never acknowledged.
     */
    RANGE
  }

  /** What a client may conclude from an answer. */
  public enum Outcome {
    /** Written, or read and there. */
    OK,
    /** Read and not there. */
    NOT_FOUND,
    /** Perhaps written, now or later; for a read: nothing learnt. */
    INDETERMINATE,
    /** Surely not written. */
    REJECTED
  }

  boolean isWrite() {
    return kind == Kind.PUT || kind == Kind.DELETE;
  }

  boolean isAnswered() {
    return status != 0;
  }

  /** The wall-clock part of the version of an operation that has one. */
  static long millisOf(String version) {
    return Long.parseLong(version.substring(0, VERSION_MILLIS_DIGITS), 16);
  }

  /** One line for people. */
  @Override
  public String toString() {
    return "%.3f-%.3f s %s %s%s %s%s%s at %s%s: %s%s%s"
        .formatted(
            startNanos / 1e9,
            endNanos / 1e9,
            client,
            kind,
            all ? "(all)" : "",
            key,
            value.isEmpty() ? "" : " " + value,
            ttlMillis == 0 ? "" : " ttl " + ttlMillis,
            node,
            skewMillis == 0 ? "" : " (clock " + skewMillis + " ms)",
            outcome,
            status == 0 ? "" : " " + status,
            version.isEmpty() ? "" : " " + version);
  }
}
