package dev.kvorum.repair.antientropy;

import dev.kvorum.data.Key;
import dev.kvorum.placement.Slots;
import java.util.BitSet;

/** The leaves that a peer has requested at a cut; 128 KB at most. */
final class WantedLeaves {
  private final long cut;
  private final LeafHash hash;
  private final BitSet leaves = new BitSet();
  private long usedNanos;

  WantedLeaves(long cut) {
    this.cut = cut;
    this.hash = new LeafHash(cut);
  }

  long cut() {
    return cut;
  }

  /**
   * Adds nodes of the trees.
   *
   * @return false if a node does not exist; earlier ones are added all the same
   */
  boolean add(int level, int[] parts) {
    if (level < 1 || level > 3) {
      return false;
    }
    int width = LeafHash.leavesBelow(level);
    for (int part : parts) {
      if (part < 0 || part >= LeafHash.partsAt(level)) {
        return false;
      }
      leaves.set(part * width, (part + 1) * width);
    }
    return true;
  }

  boolean contains(Key key) {
    return leaves.get(LeafHash.leaf(Slots.of(key), hash.of(key)));
  }

  void used(long nowNanos) {
    usedNanos = nowNanos;
  }

  long idleNanos(long nowNanos) {
    return nowNanos - usedNanos;
  }
}
