package dev.kvorum.background;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Stores records that repairs and transfers fetch from other members, and those of corrupted
 * stores. There is no other path for such records.
 */
public final class StreamReceiver {
  private final BackgroundContext context;
  private final LongConsumer late;

  /**
   * Creates a receiver.
   *
   * @param late notified of each stamp before the record is stored
   */
  public StreamReceiver(BackgroundContext context, LongConsumer late) {
    this.context = context;
    this.late = late;
  }

  /**
   * Stores a fetched record, unless there is a newer one or this member does not keep it any more.
   *
   * @param replyDeadline how long the sender's reply may be used
   * @param done called with whether this or a newer record is stored, or the record is not kept
   *     here
   */
  public void applyStreamed(
      Mutation mutation, ReplyDeadline replyDeadline, Consumer<Boolean> done) {
    if (!context.layouts().get().keeps(context.self(), mutation.key(), mutation.record().from())) {
      // The sender has an older epoch. Here the record would outlive all that could remove it.
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
   * Replaces a tombstone by a fetched live record of the same version.
   *
   * @param replyDeadline how long the sender's reply may be used
   * @param done called with whether this or a newer record is stored
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
    if (replyDeadline.isOver()) {
      done.accept(false);
      return;
    }
    observe(mutation.record().version());
    store.accept(
        replyDeadline.waiter(applied -> {
          if (applied instanceof WriteResult.Stored) {
            context.meters().recordRepaired();
          }
          done.accept(!(applied instanceof WriteResult.Rejected));
        }));
  }

  /**
   * Stores a record that this member had before its store was corrupted, unless there is a newer
   * one or this member does not keep it any more.
   *
   * @param frees whether files of the corrupted store are deleted once its records are stored, so
   *     that this one may use space that others leave free
   * @param done receives the outcome; {@code Stored} also if the record is not kept here
   */
  public void salvage(Mutation mutation, boolean frees, Consumer<WriteResult> done) {
    if (!context.layouts().get().keeps(context.self(), mutation.key(), mutation.record().from())) {
      done.accept(WriteResult.Stored.STORED);
      return;
    }
    observe(mutation.record().version());
    Waiter<WriteResult> waiter =
        applied -> {
          boolean isFull =
              applied instanceof WriteResult.Rejected rejected
                  && rejected.reason() == RejectReason.DISK_FULL;
          if (isFull) {
            salvageOnFullDisk(mutation, frees, done);
          } else {
            done.accept(applied);
          }
        };
    context.store().applyStreamed(mutation, context.loop(), waiter);
  }

  /**
   * A stamp from a wrong clock does not move this member's clock, which would give no versions
   * until then. The record is stored: it may be the last copy, and a page that is repeated until
   * then keeps this member from being complete.
   */
  private void observe(Version version) {
    context.clock().observe(version);
    late.accept(version.stamp());
  }

  /** A full disk rejects what is stored already, too. */
  private void salvageOnFullDisk(Mutation mutation, boolean frees, Consumer<WriteResult> done) {
    Store store = context.store();
    store.read(
        mutation.key(),
        Store.Detail.RECORD,
        context.loop(),
        found -> {
          boolean isStored =
              found instanceof ReadResult.Found there
                  && !mutation.record().version().isNewerThan(there.record().version())
                  && !mutation.record().outweighs(there.record());
          if (isStored) {
            done.accept(WriteResult.Stored.STORED);
          } else if (frees) {
            store.applySalvaged(mutation, context.loop(), done::accept);
          } else {
            done.accept(new WriteResult.Rejected(RejectReason.DISK_FULL));
          }
        });
  }
}
