package dev.kvorum.replica;

import dev.kvorum.data.Version;

/** Whoever wants to know what is about to be written. */
@FunctionalInterface
public interface WriteWatch {
  /** A write of this version is taken on. Called on any event loop, before it is applied. */
  void arriving(Version version);

  /** Tells both. */
  default WriteWatch then(WriteWatch other) {
    return version -> {
      arriving(version);
      other.arriving(version);
    };
  }
}
