package dev.kvorum.repair;

import dev.kvorum.data.Key;
import dev.kvorum.placement.Slots;
import dev.kvorum.replica.ReadVotes;
import java.util.BitSet;

/**
 * Which slots this member has a say in: all, once it is whole, or those that are back. Asked on any
 * thread, changed on one event loop.
 */
final class Wholeness implements ReadVotes {
  private volatile boolean whole;
  private volatile BitSet back = new BitSet();

  @Override
  public boolean has(Key key) {
    return whole || back.get(Slots.of(key));
  }

  @Override
  public boolean hasAll() {
    return whole;
  }

  /** How many slots it has a say in. */
  int slotsBack() {
    return whole ? Slots.COUNT : back.cardinality();
  }

  /** These slots are back, and no others. */
  void back(BitSet slots) {
    back = (BitSet) slots.clone();
  }

  void whole() {
    whole = true;
  }

  /** It has no say in anything. */
  void lose() {
    back = new BitSet();
    whole = false;
  }
}
