package dev.kvorum.repair.salvage;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import java.util.concurrent.Executor;

/**
 * A store on the same disk as a corrupted one; the disk is nearly full with a number of records.
 */
final class CrampedStore extends MemoryStore {
  /** Records for which a full disk has room in a salvage. */
  static final int RESERVE = SalvageTest.TABLE + 100;

  final MemorySetAside corrupted;
  int roomFor;

  CrampedStore(MemorySetAside corrupted, int roomFor) {
    this.corrupted = corrupted;
    this.roomFor = roomFor;
  }

  @Override
  public boolean isNearlyFull() {
    return used() >= roomFor;
  }

  int used() {
    return keys().size() + corrupted.left();
  }

  @Override
  public void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    if (isNearlyFull()) {
      waiter.reply(new WriteResult.Rejected(RejectReason.DISK_FULL));
    } else {
      super.apply(mutation, loop, waiter);
    }
  }

  @Override
  public void applyStreamed(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    if (isNearlyFull()) {
      waiter.reply(new WriteResult.Rejected(RejectReason.DISK_FULL));
    } else {
      super.applyStreamed(mutation, loop, waiter);
    }
  }

  @Override
  public void applySalvaged(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    if (used() >= roomFor + RESERVE) {
      waiter.reply(new WriteResult.Rejected(RejectReason.DISK_FULL));
    } else {
      super.applySalvaged(mutation, loop, waiter);
    }
  }
}
