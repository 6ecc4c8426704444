package dev.kvorum.node;

import dev.kvorum.config.CoreSettings;
import dev.kvorum.hints.HintPull;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The way of a starting node to its readiness, on the first event loop: peers are connected, hints
 * are pulled, the store is filled or known to be.
 */
final class Startup {
  private static final long POLL_MILLIS = 20;

  private final CoreSettings settings;
  private final List<LoopContext> loopContexts;
  private final Supplier<List<MemberId>> peers;
  private final PeerReach reach;
  private final BooleanSupplier clockReserved;
  private final BooleanSupplier complete;
  private final LongSupplier nanoTime;
  private final long deadlineNanos;
  private final CompletableFuture<Void> ready;

  /**
   * A start that has not begun.
   *
   * @param peers the other members
   * @param clockReserved whether it is known how far this node's clock can be trusted
   * @param complete whether this replica's store is filled
   * @param ready completed once clients may come, at the latest when {@code startupPeers} and the
   *     time for hints are over
   */
  Startup(
      CoreSettings settings,
      List<LoopContext> loopContexts,
      Supplier<List<MemberId>> peers,
      PeerReach reach,
      BooleanSupplier clockReserved,
      BooleanSupplier complete,
      LongSupplier nanoTime,
      CompletableFuture<Void> ready) {
    this.settings = settings;
    this.loopContexts = loopContexts;
    this.peers = peers;
    this.reach = reach;
    this.clockReserved = clockReserved;
    this.complete = complete;
    this.nanoTime = nanoTime;
    this.deadlineNanos = nanoTime.getAsLong() + settings.startupPeers().toNanos();
    this.ready = ready;
  }

  void begin() {
    loopContexts.getFirst().loop().execute(this::pullHintsOncePeersAreReached);
  }

  private void pullHintsOncePeersAreReached() {
    if (!reach.isComplete() && !isLate()) {
      again(this::pullHintsOncePeersAreReached);
      return;
    }
    LoopContext loopContext = loopContexts.getFirst();
    List<MemberId> reachable =
        peers.get().stream().filter(peer -> loopContext.transport().isConnected(peer)).toList();
    new HintPull(
            loopContext.replicas(),
            // A peer reads its page, perhaps behind one that it pushes, and each hint has its time.
            2 * settings.coordinator().requestTimeout().toNanos(),
            nanoTime.getAsLong() + settings.hints().pullMax().toNanos(),
            nanoTime,
            this::readyOnceComplete)
        .start(reachable);
  }

  /** A rebuild may take hours, and writes are welcome meanwhile: no more than a moment's wait. */
  private void readyOnceComplete() {
    // Asked again: a peer may have begun to accept connections meanwhile.
    if (clockReserved.getAsBoolean()
        && (isLate() || (complete.getAsBoolean() && reach.isComplete()))) {
      ready.complete(null);
    } else {
      again(this::readyOnceComplete);
    }
  }

  private boolean isLate() {
    return nanoTime.getAsLong() - deadlineNanos >= 0;
  }

  private void again(Runnable step) {
    loopContexts.getFirst().loop().schedule(step, POLL_MILLIS, TimeUnit.MILLISECONDS);
  }
}
