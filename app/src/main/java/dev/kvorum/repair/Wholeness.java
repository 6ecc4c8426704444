package dev.kvorum.repair;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.placement.Slots;
import dev.kvorum.replica.Votes;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.LostKeys;
import java.util.BitSet;

/**
 * Which slots this member has a say in: all, once it is whole, or those that are back. Writes to
 * the others it acknowledges above a floor, once that is known. Asked on any thread, changed on one
 * event loop, but for the bar.
 */
final class Wholeness implements Votes {
  /**
   * Where writes count.
   *
   * @param slots for which the floor is known
   */
  private record Floor(Version version, BitSet slots) {
    static final Floor NONE = new Floor(Version.NONE, new BitSet());
  }

  private boolean barred;
  private volatile boolean whole;
  private volatile BitSet back = new BitSet();
  private volatile Floor floor = Floor.NONE;
  private volatile LostKeys lost = LostKeys.NONE;

  @Override
  public boolean has(Key key) {
    return whole || back.get(Slots.of(key));
  }

  @Override
  public boolean hasAll() {
    return whole;
  }

  @Override
  public boolean isLost(Key key) {
    LostKeys known = lost;
    return !known.isEmpty() && known.contains(key, Slots.of(key));
  }

  @Override
  public boolean isAnyLost(KeyRange range) {
    return lost.overlaps(range);
  }

  /** What is absent of these keys is unknown from now on. */
  void lost(LostKeys keys) {
    lost = keys;
  }

  /** What is absent of these keys is unknown. */
  LostKeys lost() {
    return lost;
  }

  @Override
  public Applied onStored(Mutation mutation) {
    if (has(mutation.key())) {
      return Applied.Stored.STORED;
    }
    Floor known = floor;
    if (!known.slots.get(Slots.of(mutation.key()))) {
      return new Applied.Refused(Refusal.REBUILDING);
    }
    return mutation.record().version().isNewerThan(known.version)
        ? Applied.Stored.STORED
        : new Applied.Superseded(known.version);
  }

  /** How many slots it has a say in. */
  int slotsBack() {
    return whole ? Slots.COUNT : back.cardinality();
  }

  /** In how many slots it acknowledges writes above its floor. */
  int slotsAcknowledged() {
    return floor.slots.cardinality();
  }

  /** These slots are back, and no others. */
  synchronized void back(BitSet slots) {
    if (barred) {
      return;
    }
    back = (BitSet) slots.clone();
  }

  /** Writes to these slots may be acknowledged if they are above the version, and no others. */
  synchronized void acknowledgeAbove(Version version, BitSet slots) {
    if (barred) {
      return;
    }
    floor = new Floor(version, (BitSet) slots.clone());
  }

  synchronized void whole() {
    whole = !barred;
  }

  /**
   * It has no say in anything, and gets none before {@link #unbar}: whoever works on its return
   * works on a store that is about to go, and has not heard of it. On any thread.
   */
  synchronized void bar() {
    barred = true;
    lose();
  }

  /** From now on it may get its say back. */
  synchronized void unbar() {
    barred = false;
  }

  /** It has no say in anything. */
  synchronized void lose() {
    floor = Floor.NONE;
    back = new BitSet();
    whole = false;
  }
}
