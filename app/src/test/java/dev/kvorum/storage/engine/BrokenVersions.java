package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;

/** What a mutant calls in place of what the {@link VersionCache} does. */
public final class BrokenVersions {
  private BrokenVersions() {}

  /** Shows a version before it is stored. */
  public static void changeAtOnce(VersionCache cache, Key key, Version version) {
    cache.change(key, version);
    cache.release(true);
  }

  /** Shows versions that may not be stored. */
  public static void releaseAnyway(VersionCache cache, boolean stored) {
    cache.release(true);
  }
}
