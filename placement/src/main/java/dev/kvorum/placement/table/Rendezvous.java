package dev.kvorum.placement.table;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.charset.StandardCharsets;

/** Weights by which members compete for slots: a hash of the member's name and the slot. */
final class Rendezvous {
  private static final Hasher64 NAME_HASH = Hashing.xxh3_64();

  private Rendezvous() {}

  /** The member's weight in each slot. Weights compare as signed numbers; the highest one wins. */
  static long[] weights(String member) {
    long seed = NAME_HASH.hashBytesToLong(member.getBytes(StandardCharsets.UTF_8));
    long[] weights = new long[PlacementTable.SLOTS];
    for (int slot = 0; slot < weights.length; slot++) {
      weights[slot] = mixed(seed + slot * 0x9E3779B97F4A7C15L);
    }
    return weights;
  }

  /** The output function of SplitMix64 (Steele, Lea and Flood, 2014). */
  private static long mixed(long state) {
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
