package dev.kvorum.rebalance;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.placement.Layout;
import dev.kvorum.rebalance.TransferReport.State;
import dev.kvorum.replica.TransferSource;
import dev.kvorum.replica.WriteListener;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * This member's part in a change of the members: copies what it gains in the two middle phases, and
 * drops what it no longer keeps when all is stable. Lives on one event loop, but for what other
 * loops ask of its parts.
 */
public final class Rebalance {
  private final BackgroundContext context;
  private final RebalanceSettings settings;
  private final StreamReceiver receiver;
  private final BooleanSupplier complete;
  private final Noted noted;
  private final BackgroundRateLimiter rateLimiter;
  private final OldestWrite oldestWrite;
  private final TransferServer server;
  private @Nullable Layout layout;
  private volatile @Nullable Transfer transfer;
  private volatile @Nullable Cleanup cleanup;

  /** Listener for the time at which the rebuild of this member began. */
  public interface Noted {
    /** Notes it, and runs {@code next} once that is durable. */
    void filledSince(long millis, Runnable next);
  }

  /**
   * A rebalance of nothing.
   *
   * @param complete whether this member has all that it should have
   * @param contacted notified of members that copy from this one
   */
  public Rebalance(
      BackgroundContext context,
      RebalanceSettings settings,
      StreamReceiver receiver,
      BooleanSupplier complete,
      Noted noted,
      Consumer<MemberId> contacted) {
    this.context = context;
    this.settings = settings;
    this.receiver = receiver;
    this.complete = complete;
    this.noted = noted;
    this.rateLimiter =
        new BackgroundRateLimiter(
            context, settings.bytesPerSecondMax(), settings.latencyMax().toNanos());
    this.oldestWrite = new OldestWrite(context.layouts());
    this.server =
        new TransferServer(context, settings, rateLimiter, complete, contacted, oldestWrite);
  }

  /** Serves members that gain records by a change. */
  public TransferSource source() {
    return server;
  }

  /** To be notified of each write at this member's own replica. */
  public WriteListener writeListener() {
    return oldestWrite;
  }

  /** Begins, with the layout of the start. */
  public void start(Layout first) {
    rateLimiter.start();
    follow(first);
  }

  /**
   * Does what a layout asks for; to be called on the loop once this node refuses what was planned
   * in older epochs.
   */
  public void follow(Layout newer) {
    layout = newer;
    server.follow(newer);
    begin(newer);
  }

  /** Begins again with an empty store, which has no marks. */
  public void onStoreReplaced() {
    oldestWrite.onStoreReplaced();
    Layout now = layout;
    if (now != null) {
      begin(now);
    }
  }

  private void begin(Layout now) {
    stop();
    if (now.topology().phase() == Phase.STABLE) {
      Cleanup made = new Cleanup(context, settings, rateLimiter, now);
      cleanup = made;
      made.start();
    } else {
      Transfer made = new Transfer(context, settings, receiver, complete, this::onFirstCopy, now);
      transfer = made;
      made.start();
    }
  }

  private void onFirstCopy(long beganMillis, Runnable next) {
    noted.filledSince(beganMillis, next);
  }

  private void stop() {
    Transfer copying = transfer;
    Cleanup removing = cleanup;
    if (copying != null) {
      copying.stop();
    }
    if (removing != null) {
      removing.stop();
    }
    transfer = null;
    cleanup = null;
  }

  /** How far the copying is; safe for any thread. */
  public TransferReport report() {
    Transfer copying = transfer;
    return copying == null ? new TransferReport(0, State.NONE, 0, 0, 0, 0) : copying.report();
  }

  /** Whether no change is under way and all that belongs to others is gone; for any thread. */
  public boolean isCleanedUp() {
    Cleanup removing = cleanup;
    return removing != null && removing.isDone();
  }
}
