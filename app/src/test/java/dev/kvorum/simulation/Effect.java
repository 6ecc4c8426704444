package dev.kvorum.simulation;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.HintStore.Hint;
import dev.kvorum.topology.MemberId;

/** One change of what is on a disk. */
sealed interface Effect {
  /** A record takes its key's place. */
  record Put(Key key, Versioned record) implements Effect {}

  /**
   * A record is gone.
   *
   * @param stamp of the tombstone that it was, behind which all is forgotten; else 0
   */
  record Remove(Key key, long stamp) implements Effect {}

  /** A hint is kept. */
  record KeepHint(Hint hint) implements Effect {}

  /** A hint is forgotten. */
  record DropHint(HintId id) implements Effect {}

  /** A number is kept. */
  record Mark(String name, long number) implements Effect {}

  /** What a hint is kept under. */
  record HintId(MemberId target, Version version, Key key) implements Comparable<HintId> {
    static HintId of(Hint hint) {
      return new HintId(hint.target(), hint.mutation().record().version(), hint.mutation().key());
    }

    @Override
    public int compareTo(HintId other) {
      int byTarget = target.compareTo(other.target);
      int byVersion = byTarget != 0 ? byTarget : version.compareTo(other.version);
      return byVersion != 0 ? byVersion : key.compareTo(other.key);
    }
  }
}
