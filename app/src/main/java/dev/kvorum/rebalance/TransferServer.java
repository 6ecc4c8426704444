package dev.kvorum.rebalance;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.background.MemberRecords;
import dev.kvorum.background.ScanServer;
import dev.kvorum.data.Mutation;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.RecordSum;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest.CopyGained;
import dev.kvorum.replica.TransferSource;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.Phase;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Sends members the records that they gain, on the loop of the rebalance. It starts once this node
 * rejects requests planned before the change and has stored all writes accepted until then.
 */
final class TransferServer implements TransferSource {
  private final BackgroundContext context;
  private final ScanServer scans;
  private final MemberRecords records;
  private final OldestWrite oldestWrite;
  private @Nullable Layout layout;

  /**
   * Creates a server that serves nothing yet.
   *
   * @param oldestWrite tracks writes during the change
   */
  TransferServer(
      BackgroundContext context,
      RebalanceSettings settings,
      BackgroundRateLimiter rateLimiter,
      MemberRecords records,
      OldestWrite oldestWrite) {
    this.context = context;
    this.scans = new ScanServer(context, rateLimiter, settings.page());
    this.records = records;
    this.oldestWrite = oldestWrite;
  }

  /** Sets the layout; requests planned in an older epoch are rejected from now on. */
  void follow(Layout newer) {
    layout = newer;
    // A rebuilt member has records that no write brought.
    boolean isFirst = context.marks().mark(TransferMarks.SERVED) < newer.epoch();
    oldestWrite.begins(newer.topology(), isFirst && records.handsOn());
  }

  @Override
  public void serve(CopyGained copy, Executor loop, Waiter<ReplicaReply> waiter) {
    context.serve(loop, waiter, there -> handle(copy, there));
  }

  private void handle(CopyGained copy, Waiter<ReplicaReply> waiter) {
    Layout now = layout;
    if (now == null
        || now.epoch() != copy.epoch()
        || now.topology().phase() == Phase.STABLE
        || !records.handsOn()) {
      waiter.reply(ReplicaReply.NOT_READY);
      return;
    }
    records.contacted(copy.keeper());
    if (copy.after().isPresent()) {
      scan(copy, now, waiter);
      return;
    }
    // The mark passes the queue of all writes, so all writes accepted before it are then in the
    // store.
    context
        .marks()
        .keepMark(
            TransferMarks.SERVED,
            copy.epoch(),
            context.loop(),
            applied -> {
              if (applied instanceof WriteResult.Stored) {
                scan(copy, now, waiter);
              } else {
                waiter.reply(ReplicaReply.NOT_READY);
              }
            });
  }

  private void scan(CopyGained copy, Layout now, Waiter<ReplicaReply> waiter) {
    scans.serve(copy.after(), Detail.RECORD, waiter, page -> gained(copy, now, page));
  }

  private ReplicaReply gained(CopyGained copy, Layout now, ScanResult.Page page) {
    // The store may have been lost while the page was read.
    if (!records.handsOn()) {
      return ReplicaReply.NOT_READY;
    }
    long oldest = copy.since() == 0 ? 0 : oldestWrite.oldestSince(copy.epoch() - 1);
    List<Mutation> wanted =
        page.records().stream()
            .filter(found -> found.record().version().stamp() >= oldest)
            .filter(found -> now.gains(copy.keeper(), found.key(), found.record().from()))
            .toList();
    RecordSum sent = copy.sent();
    for (Mutation record : wanted) {
      sent = sent.plus(record);
    }
    return new TransferReply.Gained(wanted, page.next(), sent);
  }
}
