package dev.kvorum.repair.antientropy;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Slots;

/**
 * Digests of a member's records up to a cut, for the comparison with any other member.
 *
 * <p>Merkle trees of three levels (slots, nodes, leaves), one for each number of copies. Two
 * members both keep a record if it has more copies than the worse of their ranks; so their common
 * tree is a sum of these trees. A digest is the sum of its records' hashes, in any order (AdHash of
 * Bellare and Micciancio, "A New Paradigm for Collision-free Hashing", 1997, with 64 bits: against
 * chance, not against attackers, who have no access).
 *
 * <p>Records with {@code classesMax} copies or more share a tree. Members whose rank is that high
 * also compare records that only one of them keeps: that costs work and misses nothing.
 */
final class MerkleTrees {
  private final long cut;
  private final LeafHash hash;
  private final int classesMax;
  private final long deadStampMax;
  // By number of copies, then by slot; created with the first such record.
  private final long[][][] sums;
  private long records;

  /**
   * Empty trees.
   *
   * @param deadStampMax tombstones and expired records up to this stamp are left out
   */
  MerkleTrees(long cut, int classesMax, long deadStampMax) {
    this.cut = cut;
    this.deadStampMax = deadStampMax;
    this.hash = new LeafHash(cut);
    this.classesMax = classesMax;
    this.sums = new long[classesMax + 1][][];
  }

  /** Stamps up to this one are in. */
  long cut() {
    return cut;
  }

  /** Records that were added and that others keep, too. */
  long records() {
    return records;
  }

  /** Adds a record that was found, if it belongs here. */
  void add(Key key, Versioned record) {
    if (belongs(record)) {
      change(key, record, 1);
      records++;
    }
  }

  /** Takes a record out that was replaced since it was found, or removed. */
  void takeOut(Key key, Versioned record) {
    if (belongs(record)) {
      change(key, record, -1);
      records--;
    }
  }

  /** A single copy concerns no other member; one long dead may have been removed by some. */
  private boolean belongs(Versioned record) {
    long stamp = record.version().stamp();
    boolean longDead = stamp <= deadStampMax && !isLive(record);
    return record.from() > 1 && stamp <= cut && !longDead;
  }

  private boolean isLive(Versioned record) {
    return record.isLiveAt(Version.millisOf(cut));
  }

  private void change(Key key, Versioned record, int sign) {
    int copies = Math.min(record.from(), classesMax);
    int slot = Slots.of(key);
    long keyHash = hash.of(key);
    if (sums[copies] == null) {
      sums[copies] = new long[Slots.COUNT][];
    }
    if (sums[copies][slot] == null) {
      sums[copies][slot] = new long[LeafHash.LEAVES_PER_SLOT];
    }
    int leafInSlot = LeafHash.leaf(slot, keyHash) % LeafHash.LEAVES_PER_SLOT;
    long added =
        isLive(record)
            ? hash.ofLive(keyHash, record.version(), record.checksum())
            : hash.ofDead(keyHash, record.version());
    sums[copies][slot][leafInSlot] += sign * added;
  }

  /**
   * Digests of all children of some nodes, in order. Half of each digest is kept: a difference is
   * missed with a probability of one in four billion at each level, and independently at each cut.
   *
   * @param level of the nodes, 0 to 2
   */
  int[] digests(int level, int[] parts, SharedSlots shared) {
    int children = LeafHash.childrenAt(level);
    int leaves = LeafHash.leavesBelow(level + 1);
    int[] digests = new int[parts.length * children];
    for (int i = 0; i < parts.length; i++) {
      for (int child = 0; child < children; child++) {
        int firstLeaf = (parts[i] * children + child) * leaves;
        digests[i * children + child] = half(sum(firstLeaf, leaves, shared));
      }
    }
    return digests;
  }

  private long sum(int firstLeaf, int leaves, SharedSlots shared) {
    int slot = firstLeaf / LeafHash.LEAVES_PER_SLOT;
    int first = firstLeaf % LeafHash.LEAVES_PER_SLOT;
    long sum = 0;
    for (int copies = Math.min(shared.copiesMin(slot), classesMax);
        copies <= classesMax;
        copies++) {
      long[] ofSlot = sums[copies] == null ? null : sums[copies][slot];
      if (ofSlot != null) {
        for (int leaf = first; leaf < first + leaves; leaf++) {
          sum += ofSlot[leaf];
        }
      }
    }
    return sum;
  }

  private static int half(long sum) {
    return (int) (sum ^ (sum >>> 32));
  }
}
