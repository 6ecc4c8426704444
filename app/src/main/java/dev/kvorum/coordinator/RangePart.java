package dev.kvorum.coordinator;

import dev.kvorum.data.Mutation;
import java.util.List;

/** Some of a range. The range is complete when no {@link Incomplete} came before the end. */
public sealed interface RangePart {
  /** The next live records, one or more, in the order of their keys. */
  record Records(List<Mutation> records) implements RangePart {}

  /**
   * The last part: too few members answer to know what follows. What came before is complete.
   *
   * @param answers what each member said
   */
  record Incomplete(List<ReplicaAnswer> answers) implements RangePart {}
}
