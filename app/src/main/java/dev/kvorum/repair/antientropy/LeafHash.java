package dev.kvorum.repair.antientropy;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.placement.Slots;

/**
 * Maps keys to leaves of the Merkle trees of one cut, and hashes records.
 *
 * <p>Every cut has its own hash functions (XXH3, seeded): sets of records that collide at one cut
 * do not at the next.
 */
final class LeafHash {
  /** Children of a slot, and of each of these. */
  static final int FAN_OUT = 16;

  static final int NODES = Slots.COUNT * FAN_OUT;
  static final int LEAVES = NODES * FAN_OUT;
  static final int LEAVES_PER_SLOT = FAN_OUT * FAN_OUT;

  /** No stamp is negative. */
  private static final long LIVE_FLAG = Long.MIN_VALUE;

  private final Hasher64 hasher;

  LeafHash(long cut) {
    this.hasher = Hashing.xxh3_64(cut);
  }

  long of(Key key) {
    return hasher.hashBytesToLong(key.bytes());
  }

  /** The leaf of a key, 0 to {@link #LEAVES} - 1; the leaves of a slot follow each other. */
  static int leaf(int slot, long keyHash) {
    return slot * LEAVES_PER_SLOT + (int) (keyHash >>> 56);
  }

  /**
   * Hash of a record with a value.
   *
   * @param checksum of the stored value: a corrupted copy differs from intact ones
   */
  long ofLive(long keyHash, Version version, int checksum) {
    return hasher.hashLongLongLongToLong(
        keyHash, version.stamp() | LIVE_FLAG, writerBits(version) | (checksum & 0xFFFF_FFFFL));
  }

  /**
   * Hash of a tombstone, or of a record that has expired at the cut: that counts as the tombstone
   * that it becomes, with the same version and another checksum. A record that was expired too
   * early differs from its live copies.
   */
  long ofDead(long keyHash, Version version) {
    return hasher.hashLongLongLongToLong(keyHash, version.stamp(), writerBits(version));
  }

  private static long writerBits(Version version) {
    return (long) version.writer() << Integer.SIZE;
  }

  /** Leaves below a part of the trees. */
  static int leavesBelow(int level) {
    return switch (level) {
      case 1 -> LEAVES_PER_SLOT;
      case 2 -> FAN_OUT;
      default -> 1;
    };
  }

  /** Parts at a level: slots, nodes or leaves. */
  static int partsAt(int level) {
    return level == 0 ? 1 : LEAVES / leavesBelow(level);
  }

  /** Children of each part at a level. */
  static int childrenAt(int level) {
    return level == 0 ? Slots.COUNT : FAN_OUT;
  }
}
