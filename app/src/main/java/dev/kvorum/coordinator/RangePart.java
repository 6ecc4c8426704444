package dev.kvorum.coordinator;

import dev.kvorum.data.Mutation;
import java.util.List;

/** Part of a range. The range is complete if it ends without {@link Incomplete}. */
public sealed interface RangePart {
  /** The next live records, one or more, in the order of the range read. */
  record Records(List<Mutation> records) implements RangePart {}

  /**
   * The last part of an incomplete range: too few members reply to determine what follows. The
   * parts before it are complete.
   *
   * @param replies the outcome of each member
   */
  record Incomplete(List<ReplicaOutcome> replies) implements RangePart {}
}
