package dev.kvorum.node;

import dev.kvorum.config.CoreSettings;
import dev.kvorum.hints.HintPull;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of a starting node until it is ready, on the first event loop. It connects to peers,
 * pulls hints, and waits until the store is complete and the clock may be used, for at most {@code
 * startup-peers} and the time for hints. It is not ready while its release and those of a majority
 * of members do not work together: clients would get 504 only.
 */
final class StartupCatchUp {
  private static final Logger log = LoggerFactory.getLogger(StartupCatchUp.class);
  private static final long POLL_MILLIS = 20;

  private final CoreSettings settings;
  private final LoopContext loopContext;
  private final PeerReach reach;
  private final BooleanSupplier clockHighWater;
  private final BooleanSupplier complete;
  private final LongSupplier nanoTime;
  private final long deadlineNanos;
  private final CompletableFuture<Void> ready;
  private boolean toldAlone;

  /**
   * Creates a startup; {@link #begin} starts it.
   *
   * @param loopContext of the first event loop
   * @param clockHighWater returns whether this node's clock may be used
   * @param complete returns whether this replica's store is complete
   * @param ready completes once the node is ready for clients
   */
  StartupCatchUp(
      CoreSettings settings,
      LoopContext loopContext,
      PeerReach reach,
      BooleanSupplier clockHighWater,
      BooleanSupplier complete,
      CompletableFuture<Void> ready) {
    this.settings = settings;
    this.loopContext = loopContext;
    this.reach = reach;
    this.clockHighWater = clockHighWater;
    this.complete = complete;
    this.nanoTime = loopContext.replicas().nanoTime();
    this.deadlineNanos = nanoTime.getAsLong() + settings.startupPeers().toNanos();
    this.ready = ready;
  }

  void begin() {
    loopContext.loop().execute(this::pullHintsOncePeersAreReached);
  }

  private void pullHintsOncePeersAreReached() {
    if (!reach.isComplete() && !isLate()) {
      again(this::pullHintsOncePeersAreReached);
      return;
    }
    List<MemberId> reachable =
        reach.peers().stream().filter(peer -> loopContext.transport().isConnected(peer)).toList();
    new HintPull(
            loopContext.replicas(),
            // Time for a peer to read its page, possibly behind one that it pushes, and for each
            // hint.
            2 * settings.coordinator().requestTimeout().toNanos(),
            nanoTime.getAsLong() + settings.hints().pullMax().toNanos(),
            nanoTime,
            this::readyOnceComplete)
        .start(reachable);
  }

  /**
   * Waits for a complete store only for a moment: a rebuild may take hours, and the node accepts
   * writes meanwhile.
   */
  private void readyOnceComplete() {
    // Checked again: a peer may have started to accept connections meanwhile.
    if (clockHighWater.getAsBoolean()
        && !isAlone()
        && (isLate() || (complete.getAsBoolean() && reach.isComplete()))) {
      ready.complete(null);
    } else {
      again(this::readyOnceComplete);
    }
  }

  private boolean isAlone() {
    boolean alone = reach.isMajorityIncompatible();
    if (alone && !toldAlone) {
      toldAlone = true;
      log.error(
          "This node is not ready: a majority of members has no version of the protocol in common"
              + " with it, or has active features that its release lacks. Upgrade through a"
              + " release in between, or run one that has the features");
    }
    return alone;
  }

  private boolean isLate() {
    return nanoTime.getAsLong() - deadlineNanos >= 0;
  }

  private void again(Runnable step) {
    loopContext.loop().schedule(step, POLL_MILLIS, TimeUnit.MILLISECONDS);
  }
}
