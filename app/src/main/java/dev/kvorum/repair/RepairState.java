package dev.kvorum.repair;

import dev.kvorum.repair.rebuild.Rebuild;

/** State of a member's repair. */
sealed interface RepairState {
  /** Stops the work of this state; its result is ignored. */
  default void stop() {}

  /** Marks are being written, or repair has not started. */
  record Preparing() implements RepairState {}

  /** The store is being replaced by an empty one. Events in the meantime take effect afterwards. */
  record Resetting() implements RepairState {}

  /** Slots are restored from the other replicas. */
  record Rebuilding(Rebuild rebuild) implements RepairState {
    @Override
    public void stop() {
      rebuild.stop();
    }
  }

  /** The peers are asked whether tombstones were purged without this member; it does not vote. */
  record CheckingPurges() implements RepairState {}

  /** This member has all of its slots; anti-entropy keeps them equal. */
  record Complete() implements RepairState {}
}
