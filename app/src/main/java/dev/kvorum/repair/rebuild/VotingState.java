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
 * The slots in which this member votes: all once it is complete, else those that are restored.
 * Writes to other slots are acknowledged above a floor, once that is known. Read on any thread;
 * changed on one event loop, except by {@link #bar}.
 */
public final class VotingState implements VotingRights {
  /**
   * The version above which writes are acknowledged.
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

  /** Fails reads of these keys if they are absent, from now on. */
  public void lost(LostKeys keys) {
    lost = keys;
  }

  /** Keys of which absent ones are reported as lost. */
  public LostKeys lost() {
    return lost;
  }

  @Override
  public WriteResult onStored(Mutation mutation) {
    return has(mutation.key())
        ? WriteResult.Stored.STORED
        : byFloor(mutation, mutation.record().version(), WriteResult.Stored.STORED);
  }

  @Override
  public WriteResult onSuperseded(Mutation mutation, WriteResult.Superseded superseded) {
    return has(mutation.key()) ? superseded : byFloor(mutation, superseded.by(), superseded);
  }

  private WriteResult byFloor(Mutation mutation, Version newest, WriteResult above) {
    Floor known = floor;
    if (!known.slots.get(Slots.of(mutation.key()))) {
      return new WriteResult.Rejected(RejectReason.REBUILDING);
    }
    return newest.isNewerThan(known.version) ? above : new WriteResult.Superseded(known.version);
  }

  /** Number of slots in which this member votes. */
  public int slotsBack() {
    return complete ? Slots.COUNT : back.cardinality();
  }

  /** Number of slots in which writes above the floor are acknowledged. */
  int slotsAcknowledged() {
    return floor.slots.cardinality();
  }

  /** Votes in these slots and no others. */
  synchronized void back(BitSet slots) {
    if (barred) {
      return;
    }
    back = (BitSet) slots.clone();
  }

  /** Acknowledges writes above the version in these slots and no others. */
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
   * Withdraws the vote until {@link #unbar}, although a rebuild may still be working on the store
   * that is about to be replaced. Safe for any thread.
   */
  public synchronized void bar() {
    barred = true;
    lose();
  }

  /** Permits votes again. */
  public synchronized void unbar() {
    barred = false;
  }

  /** Withdraws the vote. */
  public synchronized void lose() {
    floor = Floor.NONE;
    back = new BitSet();
    complete = false;
  }
}
