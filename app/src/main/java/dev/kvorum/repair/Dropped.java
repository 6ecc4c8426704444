package dev.kvorum.repair;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which of its own copies this member let go lately, for a newer one that others keep. Those who
 * have not heard of the newer one yet still hold the old copy: fetched from them it would have to
 * go again, round after round, as long as no two of them let go of it at once.
 *
 * <p>Bounded: a copy that is forgotten here comes once and goes again. Lives on one event loop.
 */
final class Dropped {
  private static final int KEYS_MAX = 4096;

  private final Map<Key, Version> newer =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Version> eldest) {
          return size() > KEYS_MAX;
        }
      };

  /** Notes for which version a copy went. */
  void note(Key key, Version kept) {
    newer.merge(key, kept, (one, other) -> other.isNewerThan(one) ? other : one);
  }

  /** Whether a copy of this version would have to go again. */
  boolean isOutdated(Key key, Version version) {
    Version kept = newer.get(key);
    return kept != null && kept.isNewerThan(version);
  }
}
