package dev.kvorum.chaos.history;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A promise that was not kept.
 *
 * @param rule which one
 * @param key where, empty when it is not about one key
 * @param detail what was seen
 * @param trace the operations that show it, in order
 */
public record Violation(Rule rule, String key, String detail, List<Operation> trace) {

  /** What a store promises. */
  public enum Rule {
    /** A read sees no less than the newest write acknowledged before it. */
    LOST_WRITE,
    /** What was deleted stays so until it is written again. */
    RESURRECTED_DELETE,
    /** A read sees no less than any read that ended before it. */
    VERSION_BACKWARDS,
    /** A write is newer than all that was acknowledged or read before it. */
    WRITE_BELOW_OLDER,
    /** What is read has been written, to that key and before. */
    PHANTOM,
    /** What is read has not been rejected. */
    REJECTED_BUT_STORED,
    /** A version stands for one write. */
    VERSION_SHARED,
    /** A write has its version, or one that it was first tried with. */
    VERSION_CHANGED,
    /** A value is gone after its time to live. */
    TTL_SEEN_LATE,
    /** A value is there until its time to live is over. */
    TTL_LOST_EARLY,
    /** After all faults every copy of a key is the same. */
    COPIES_DIFFER,
    /** After all faults no hint is left undelivered. */
    HINTS_LEFT,
    /** What a majority of live nodes can serve is served. */
    UNAVAILABLE,
    /** After a fault all nodes are ready and see each other again. */
    NOT_COMPLETE
  }

  @Override
  public String toString() {
    String where = key.isEmpty() ? "" : " of " + key;
    return rule
        + where
        + ": "
        + detail
        + trace.stream().map(operation -> "\n    " + operation).collect(Collectors.joining());
  }
}
