package dev.kvorum.coordinator;

import dev.kvorum.data.Mutation;
import java.util.List;

/** Some of a range. The range is complete when no {@link Incomplete} came before the end. */
public sealed interface RangePart {
  /** The next live records, one or more, in the order of their keys. */
  record Records(List<Mutation> records) implements RangePart {}

  /**
   * The last part: too few members reply to determine what follows. What came before is complete.
   *
   * @param answers the outcome of each member
   */
  record Incomplete(List<ReplicaOutcome> answers) implements RangePart {}
}
