package dev.kvorum.repair;

import dev.kvorum.data.Mutation;
import dev.kvorum.storage.Applied;
import java.util.function.Consumer;

/** The one way in which records of other members come into this one's store by repair. */
final class Adoption {
  private final Ground ground;
  private final Coverage coverage;

  Adoption(Ground ground, Coverage coverage) {
    this.ground = ground;
    this.coverage = coverage;
  }

  /**
   * Keeps a record that was just fetched, unless a newer one is there.
   *
   * @param patience for how long the one who sent it may be believed
   * @param done told whether it, or a newer one, is kept
   */
  void adopt(Mutation mutation, Patience patience, Consumer<Boolean> done) {
    // A stamp from a broken clock would shut out honest writes until their clocks reach it.
    if (patience.isOver() || !ground.clock().observe(mutation.record().version())) {
      done.accept(false);
      return;
    }
    coverage.late(mutation.record().version().stamp());
    ground
        .store()
        .adopt(
            mutation,
            ground.loop(),
            patience.waiter(applied -> {
              if (applied instanceof Applied.Stored) {
                ground.meters().recordRepaired();
              }
              done.accept(!(applied instanceof Applied.Refused));
            }));
  }
}
