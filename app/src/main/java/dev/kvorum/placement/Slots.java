package dev.kvorum.placement;

import com.dynatrace.hash4j.hashing.Hasher32;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.kvorum.data.Key;
import dev.kvorum.placement.table.PlacementTable;

/** Fixed hash buckets of keys: {@code murmur3(key) mod 4096}. */
public final class Slots {
  /** Number of slots. The data on disk depends on it, so it never changes. */
  public static final int COUNT = PlacementTable.SLOTS;

  private static final Hasher32 MURMUR3 = Hashing.murmur3_32();

  private Slots() {}

  /** The slot of a key, 0 to {@link #COUNT} - 1. */
  public static int of(Key key) {
    return MURMUR3.hashBytesToInt(key.bytes()) & (COUNT - 1);
  }
}
