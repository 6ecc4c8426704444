package dev.kvorum.background;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Waiter;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** The one way in which records of other members come into this one's store by repair. */
public final class Adoption {
  private final Ground ground;
  private final LongConsumer late;

  /**
   * The way in.
   *
   * @param late told of each stamp before the record is stored
   */
  public Adoption(Ground ground, LongConsumer late) {
    this.ground = ground;
    this.late = late;
  }

  /**
   * Keeps a record that was just fetched, unless a newer one is there or others keep it now.
   *
   * @param patience for how long the one who sent it may be believed
   * @param done told whether it, or a newer one, is kept, or need not be
   */
  public void adopt(Mutation mutation, Patience patience, Consumer<Boolean> done) {
    if (!ground.layouts().get().keeps(ground.self(), mutation.key(), mutation.record().from())) {
      // Sent by one who goes by an older epoch. Here it would outlive all that could remove it.
      done.accept(true);
      return;
    }
    take(mutation, patience, done, waiter -> ground.store().adopt(mutation, ground.loop(), waiter));
  }

  /**
   * Puts a live record that was just fetched in the place of a tombstone of the same version.
   *
   * @param patience for how long the one who sent it may be believed
   * @param done told whether it, or something newer, is there
   */
  public void restore(Mutation mutation, Patience patience, Consumer<Boolean> done) {
    take(
        mutation,
        patience,
        done,
        waiter -> ground.store().restore(mutation, ground.loop(), waiter));
  }

  private void take(
      Mutation mutation,
      Patience patience,
      Consumer<Boolean> done,
      Consumer<Waiter<Applied>> store) {
    // A stamp from a broken clock would shut out honest writes until their clocks reach it.
    if (patience.isOver() || !ground.clock().observe(mutation.record().version())) {
      done.accept(false);
      return;
    }
    late.accept(mutation.record().version().stamp());
    store.accept(
        patience.waiter(applied -> {
          if (applied instanceof Applied.Stored) {
            ground.meters().recordRepaired();
          }
          done.accept(!(applied instanceof Applied.Refused));
        }));
  }

  /**
   * Keeps a record that this member held before its store was corrupted, unless a newer one is
   * there or others keep it now.
   *
   * @param isTrusted whether it is kept also where a newer tombstone may have been removed since
   * @param done given what became of it; {@code Stored} too where it need not be kept
   */
  public void salvage(Mutation mutation, boolean isTrusted, Consumer<Applied> done) {
    if (!ground.layouts().get().keeps(ground.self(), mutation.key(), mutation.record().from())) {
      done.accept(Applied.Stored.STORED);
      return;
    }
    if (!ground.clock().observe(mutation.record().version())) {
      done.accept(new Applied.Refused(Refusal.CLOCK_AHEAD));
      return;
    }
    late.accept(mutation.record().version().stamp());
    if (isTrusted) {
      ground.store().adopt(mutation, ground.loop(), done::accept);
    } else {
      ground.store().apply(mutation, ground.loop(), done::accept);
    }
  }
}
