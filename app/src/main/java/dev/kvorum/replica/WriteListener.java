package dev.kvorum.replica;

import dev.kvorum.data.Version;

/** Listens to writes before they are stored. */
@FunctionalInterface
public interface WriteListener {
  /** A write of this version is taken on. Called on any event loop, before it is applied. */
  void arriving(Version version);

  /** Tells both. */
  default WriteListener then(WriteListener other) {
    return version -> {
      arriving(version);
      other.arriving(version);
    };
  }
}
