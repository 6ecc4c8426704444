package dev.kvorum.replica;

import dev.kvorum.data.Version;

/** Receives writes before they are stored. */
@FunctionalInterface
public interface WriteListener {
  /**
   * Notifies of an accepted write with this version, before it is applied. Called on any event
   * loop.
   */
  void arriving(Version version);

  /** Notifies both listeners. */
  default WriteListener then(WriteListener other) {
    return version -> {
      arriving(version);
      other.arriving(version);
    };
  }
}
