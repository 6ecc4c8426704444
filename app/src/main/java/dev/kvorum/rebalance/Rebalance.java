package dev.kvorum.rebalance;

import dev.kvorum.background.Adoption;
import dev.kvorum.background.Ground;
import dev.kvorum.background.Pace;
import dev.kvorum.placement.Layout;
import dev.kvorum.rebalance.TransferReport.State;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * This member's part in a change of the members: copies what it gains in the two middle phases, and
 * lets go of what it keeps no longer when all is stable. Lives on one event loop, but for what
 * other loops ask of its parts.
 */
public final class Rebalance {
  private final Ground ground;
  private final RebalanceSettings settings;
  private final Adoption adoption;
  private final BooleanSupplier whole;
  private final Noted noted;
  private final Pace pace;
  private final Arrivals arrivals;
  private final TransferServer server;
  private @Nullable Layout layout;
  private volatile @Nullable Transfer transfer;
  private volatile @Nullable Clearing clearing;

  /** Whoever has to know that this member began to be filled then. */
  public interface Noted {
    /** Notes it, and runs {@code next} once that is durable. */
    void filledSince(long millis, Runnable next);
  }

  /**
   * A rebalance of nothing.
   *
   * @param whole whether this member has all that it should have
   * @param heard told of members that copy from this one
   */
  public Rebalance(
      Ground ground,
      RebalanceSettings settings,
      Adoption adoption,
      BooleanSupplier whole,
      Noted noted,
      Consumer<MemberId> heard) {
    this.ground = ground;
    this.settings = settings;
    this.adoption = adoption;
    this.whole = whole;
    this.noted = noted;
    this.pace = new Pace(ground, settings.bytesPerSecondMax(), settings.latencyMax().toNanos());
    this.arrivals = new Arrivals(ground.layouts());
    this.server = new TransferServer(ground, settings, pace, whole, heard, arrivals);
  }

  /** Takes its place at this node's own replica: what it sees and what it serves. */
  public void serveOn(LocalReplica replica) {
    replica.serveTransfers(server);
    replica.watchWrites(arrivals);
  }

  /** Begins, with the layout of the start. */
  public void start(Layout first) {
    pace.start();
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

  /** Begins again with an empty store, which remembers nothing. */
  public void onStoreReplaced() {
    arrivals.forget();
    Layout now = layout;
    if (now != null) {
      begin(now);
    }
  }

  private void begin(Layout now) {
    stop();
    if (now.topology().phase() == Phase.STABLE) {
      Clearing made = new Clearing(ground, settings, pace, now);
      clearing = made;
      made.start();
    } else {
      Transfer made = new Transfer(ground, settings, adoption, whole, this::onFirstCopy, now);
      transfer = made;
      made.start();
    }
  }

  private void onFirstCopy(long beganMillis, Runnable next) {
    noted.filledSince(beganMillis, next);
  }

  private void stop() {
    Transfer copying = transfer;
    Clearing removing = clearing;
    if (copying != null) {
      copying.stop();
    }
    if (removing != null) {
      removing.stop();
    }
    transfer = null;
    clearing = null;
  }

  /** How far the copying is; safe for any thread. */
  public TransferReport report() {
    Transfer copying = transfer;
    return copying == null ? new TransferReport(0, State.NONE, 0, 0, 0, 0) : copying.report();
  }

  /** Whether no change is under way and all that belongs to others is gone; for any thread. */
  public boolean isCleared() {
    Clearing removing = clearing;
    return removing != null && removing.isDone();
  }
}
