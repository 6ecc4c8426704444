package dev.kvorum.rebalance;

import dev.kvorum.background.Ground;
import dev.kvorum.background.Pace;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.RecordSum;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest.CopyGained;
import dev.kvorum.replica.TransferSource;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Scanned;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends other members what they gain, on the loop of the rebalance. It does once this node refuses
 * what was planned before the change, and once what it had accepted until then is in the store.
 */
final class TransferServer implements TransferSource {
  private static final ReplicaReply NOT_READY = new ReplicaReply.Failed(Refusal.NOT_READY);

  private final Ground ground;
  private final RebalanceSettings settings;
  private final Pace pace;
  private final BooleanSupplier whole;
  private final Consumer<MemberId> heard;
  private final Arrivals arrivals;
  private @Nullable Layout layout;

  /**
   * A server that serves nothing yet.
   *
   * @param heard told of each member that copies
   * @param arrivals writes that come while the members change
   */
  TransferServer(
      Ground ground,
      RebalanceSettings settings,
      Pace pace,
      BooleanSupplier whole,
      Consumer<MemberId> heard,
      Arrivals arrivals) {
    this.ground = ground;
    this.settings = settings;
    this.pace = pace;
    this.whole = whole;
    this.heard = heard;
    this.arrivals = arrivals;
  }

  /** From now on all that was planned in an older epoch is refused. */
  void follow(Layout newer) {
    layout = newer;
    // A member that was filled again holds what came by no write.
    boolean isFirst = ground.marks().mark(TransferMarks.SERVED) < newer.epoch();
    arrivals.begins(newer.topology(), isFirst && whole.getAsBoolean());
  }

  @Override
  public void serve(CopyGained copy, Executor loop, Waiter<ReplicaReply> waiter) {
    ground.serve(loop, waiter, there -> handle(copy, there));
  }

  private void handle(CopyGained copy, Waiter<ReplicaReply> waiter) {
    Layout now = layout;
    if (now == null
        || now.epoch() != copy.epoch()
        || now.topology().phase() == Phase.STABLE
        || !whole.getAsBoolean()) {
      waiter.answer(NOT_READY);
      return;
    }
    heard.accept(copy.keeper());
    if (copy.after().isPresent()) {
      scan(copy, now, waiter);
      return;
    }
    // A mark goes the way of all writes: behind it, what was accepted before is in the store.
    ground
        .marks()
        .keepMark(
            TransferMarks.SERVED,
            copy.epoch(),
            ground.loop(),
            applied -> {
              if (applied instanceof Applied.Stored) {
                scan(copy, now, waiter);
              } else {
                waiter.answer(NOT_READY);
              }
            });
  }

  private void scan(CopyGained copy, Layout now, Waiter<ReplicaReply> waiter) {
    KeyRange rest = copy.after().map(KeyRange.ALL::after).orElse(KeyRange.ALL);
    ground
        .store()
        .scan(
            rest,
            Detail.RECORD,
            settings.page(),
            ground.loop(),
            scanned -> {
              switch (scanned) {
                case Scanned.Unknown unknown ->
                    waiter.answer(new ReplicaReply.Failed(unknown.reason()));
                case Scanned.Page page
                    when !ground.replicas().verifier().areLost(page.mismatched()) ->
                    // They are being repaired; without them the page would say that there are none.
                    waiter.answer(ReplicaReply.MISMATCH);
                case Scanned.Page page -> {
                  long bytes = Pace.bytesOf(page, settings.page());
                  pace.after(bytes, () -> waiter.answer(gained(copy, now, page)));
                }
              }
            });
  }

  private ReplicaReply gained(CopyGained copy, Layout now, Scanned.Page page) {
    // The store may have been lost while the page was read.
    if (!whole.getAsBoolean()) {
      return NOT_READY;
    }
    long oldest = copy.since() == 0 ? 0 : arrivals.oldestSince(copy.epoch() - 1);
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
