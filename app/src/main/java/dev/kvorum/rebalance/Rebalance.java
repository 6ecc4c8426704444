package dev.kvorum.rebalance;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.background.MemberRecords;
import dev.kvorum.placement.Layout;
import dev.kvorum.rebalance.TransferReport.State;
import dev.kvorum.replica.TransferSource;
import dev.kvorum.replica.WriteListener;
import dev.kvorum.topology.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Runs this member's part in a membership change. It copies the slots that it gains in the phases
 * {@code TRANSFERRING} and {@code SETTLING}, and drops what it no longer keeps when the topology is
 * stable. Confined to one event loop, except queries from other loops to its parts.
 */
public final class Rebalance {
  private final BackgroundContext context;
  private final RebalanceSettings settings;
  private final MemberRecords records;
  private final BackgroundRateLimiter rateLimiter;
  private final OldestWrite oldestWrite;
  private final TransferServer server;
  private @Nullable Layout layout;
  private volatile @Nullable Transfer transfer;
  private volatile @Nullable Cleanup cleanup;

  /** Creates a rebalance without work. */
  public Rebalance(BackgroundContext context, RebalanceSettings settings, MemberRecords records) {
    this.context = context;
    this.settings = settings;
    this.records = records;
    this.rateLimiter =
        new BackgroundRateLimiter(
            context,
            settings.bytesPerSecondMax(),
            settings.latencyMax().toNanos(),
            context.meters()::repairBytes);
    this.oldestWrite = new OldestWrite(context.layouts());
    this.server = new TransferServer(context, settings, rateLimiter, records, oldestWrite);
  }

  /** Serves members that gain records in a change. */
  public TransferSource source() {
    return server;
  }

  /** Listener for each write at this member's own replica. */
  public WriteListener writeListener() {
    return oldestWrite;
  }

  /** Starts with the layout of the node's start. */
  public void start(Layout first) {
    assert context.isOnLoop();
    rateLimiter.start();
    follow(first);
  }

  /**
   * Does the work of a layout. Call it on the loop once this node rejects requests of older epochs.
   */
  public void follow(Layout newer) {
    assert context.isOnLoop();
    layout = newer;
    server.follow(newer);
    begin(newer);
  }

  /** Starts again with an empty store, which has no marks. */
  public void onStoreReplaced() {
    assert context.isOnLoop();
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
      Transfer made = new Transfer(context, settings, records, now);
      transfer = made;
      made.start();
    }
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

  /** Progress of the copying. Safe for any thread. */
  public TransferReport report() {
    Transfer copying = transfer;
    return copying == null ? new TransferReport(0, State.NONE, 0, 0, 0, 0) : copying.report();
  }

  /**
   * Returns whether no change is in progress and all leftovers are removed. Safe for any thread.
   */
  public boolean isCleanedUp() {
    Cleanup removing = cleanup;
    return removing != null && removing.isDone();
  }
}
