package dev.kvorum.background;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** The one way in which records of other members come into this one's store by repair. */
public final class StreamReceiver {
  private final BackgroundContext context;
  private final LongConsumer late;

  /**
   * Makes a receiver.
   *
   * @param late notified of each stamp before the record is stored
   */
  public StreamReceiver(BackgroundContext context, LongConsumer late) {
    this.context = context;
    this.late = late;
  }

  /**
   * Keeps a record that was just fetched, unless a newer one is there or others keep it now.
   *
   * @param replyDeadline for how long the sender's reply may be used
   * @param done notified whether it, or a newer one, is kept, or need not be
   */
  public void applyStreamed(
      Mutation mutation, ReplyDeadline replyDeadline, Consumer<Boolean> done) {
    if (!context.layouts().get().keeps(context.self(), mutation.key(), mutation.record().from())) {
      // Sent by one who goes by an older epoch. Here it would outlive all that could remove it.
      done.accept(true);
      return;
    }
    take(
        mutation,
        replyDeadline,
        done,
        waiter -> context.store().applyStreamed(mutation, context.loop(), waiter));
  }

  /**
   * Puts a live record that was just fetched in the place of a tombstone of the same version.
   *
   * @param replyDeadline for how long the sender's reply may be used
   * @param done notified whether it, or something newer, is there
   */
  public void restore(Mutation mutation, ReplyDeadline replyDeadline, Consumer<Boolean> done) {
    take(
        mutation,
        replyDeadline,
        done,
        waiter -> context.store().restore(mutation, context.loop(), waiter));
  }

  private void take(
      Mutation mutation,
      ReplyDeadline replyDeadline,
      Consumer<Boolean> done,
      Consumer<Waiter<WriteResult>> store) {
    // A stamp from a broken clock would shut out honest writes until their clocks reach it.
    if (replyDeadline.isOver() || !context.clock().observe(mutation.record().version())) {
      done.accept(false);
      return;
    }
    late.accept(mutation.record().version().stamp());
    store.accept(
        replyDeadline.waiter(applied -> {
          if (applied instanceof WriteResult.Stored) {
            context.meters().recordRepaired();
          }
          done.accept(!(applied instanceof WriteResult.Refused));
        }));
  }

  /**
   * Keeps a record that this member held before its store was corrupted, unless a newer one is
   * there or others keep it now.
   *
   * @param isTrusted whether it is kept also where a newer tombstone may have been removed since
   * @param done given what became of it; {@code Stored} too where it need not be kept
   */
  public void salvage(Mutation mutation, boolean isTrusted, Consumer<WriteResult> done) {
    if (!context.layouts().get().keeps(context.self(), mutation.key(), mutation.record().from())) {
      done.accept(WriteResult.Stored.STORED);
      return;
    }
    if (!context.clock().observe(mutation.record().version())) {
      done.accept(new WriteResult.Refused(RejectReason.CLOCK_AHEAD));
      return;
    }
    late.accept(mutation.record().version().stamp());
    if (isTrusted) {
      context.store().applyStreamed(mutation, context.loop(), done::accept);
    } else {
      context.store().apply(mutation, context.loop(), done::accept);
    }
  }
}
