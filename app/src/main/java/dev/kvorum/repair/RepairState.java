package dev.kvorum.repair;

import dev.kvorum.repair.rebuild.MissedPurgeCheck;
import dev.kvorum.repair.rebuild.Rebuild;

/** What a member is doing to become equal to the others. */
sealed interface RepairState {
  /** Ends what is under way; its result is ignored. */
  default void stop() {}

  /** Marks are being written, or nothing has begun. */
  record Preparing() implements RepairState {}

  /** The store is being replaced by an empty one; what happens meanwhile waits for that. */
  record Resetting() implements RepairState {}

  /** Slots are restored from the other replicas. */
  record Rebuilding(Rebuild rebuild) implements RepairState {
    @Override
    public void stop() {
      rebuild.stop();
    }
  }

  /** The peers are asked whether tombstones were purged without this member. */
  record CheckingPurges(MissedPurgeCheck check) implements RepairState {
    @Override
    public void stop() {
      check.stop();
    }
  }

  /** All slots are there; anti-entropy keeps them equal. */
  record Complete() implements RepairState {}
}
