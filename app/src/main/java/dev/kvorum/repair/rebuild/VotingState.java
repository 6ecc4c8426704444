package dev.kvorum.repair.rebuild;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.placement.Slots;
import dev.kvorum.replica.VotingRights;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.WriteResult;
import java.util.BitSet;

/**
 * Which slots this member votes in: all, once it is complete, or those that are back. Writes to the
 * others it acknowledges above a floor, once that is known. Asked on any thread, changed on one
 * event loop, but for the bar.
 */
public final class VotingState implements VotingRights {
  /**
   * Where writes count.
   *
   * @param slots for which the floor is known
   */
  private record Floor(Version version, BitSet slots) {
    static final Floor NONE = new Floor(Version.NONE, new BitSet());
  }

  private boolean barred;
  private volatile boolean complete;
  private volatile BitSet back = new BitSet();
  private volatile Floor floor = Floor.NONE;
  private volatile LostKeys lost = LostKeys.NONE;

  @Override
  public boolean has(Key key) {
    return complete || back.get(Slots.of(key));
  }

  @Override
  public boolean hasAll() {
    return complete;
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
  public void lost(LostKeys keys) {
    lost = keys;
  }

  /** What is absent of these keys is unknown. */
  public LostKeys lost() {
    return lost;
  }

  @Override
  public WriteResult onStored(Mutation mutation) {
    if (has(mutation.key())) {
      return WriteResult.Stored.STORED;
    }
    Floor known = floor;
    if (!known.slots.get(Slots.of(mutation.key()))) {
      return new WriteResult.Refused(RejectReason.REBUILDING);
    }
    return mutation.record().version().isNewerThan(known.version)
        ? WriteResult.Stored.STORED
        : new WriteResult.Superseded(known.version);
  }

  /** How many slots it votes in. */
  public int slotsBack() {
    return complete ? Slots.COUNT : back.cardinality();
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

  public synchronized void complete() {
    complete = !barred;
  }

  /**
   * It does not vote before {@link #unbar}: a rebuild under way may still work on the store that is
   * about to be replaced. On any thread.
   */
  public synchronized void bar() {
    barred = true;
    lose();
  }

  /** From now on it may vote again. */
  public synchronized void unbar() {
    barred = false;
  }

  /** It does not vote. */
  public synchronized void lose() {
    floor = Floor.NONE;
    back = new BitSet();
    complete = false;
  }
}
