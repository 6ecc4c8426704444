package dev.kvorum.repair.state;

import dev.kvorum.data.KeyRange;
import java.util.List;
import java.util.Optional;

/** How complete this member's records are, compared with all that it ever acknowledged. */
public interface RecordCompleteness {
  /** Whether this member has all of its slots. */
  boolean hasAll();

  /** Whether records of a corrupted store are still being read. */
  boolean isGrowing();

  /** For each range, whether every such record in it is known; empty while that is not decided. */
  Optional<List<Boolean>> certain(List<KeyRange> ranges);
}
