package dev.kvorum;

import dev.kvorum.repair.HintPull;
import dev.kvorum.replica.ProcessRegistry;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The way of a starting node to its readiness, on the first lane's loop: peers are connected, hints
 * are pulled, the store is filled or known to be.
 *
 * <p>A peer that accepts connections is waited for until each event loop of either node has
 * connected to the other one: else a request on the one loop that has not would be answered 504
 * though all is well.
 */
final class Startup {
  private static final long POLL_MILLIS = 20;

  private final CoreSettings settings;
  private final List<Lane> lanes;
  private final Supplier<List<MemberId>> peers;
  private final ProcessRegistry processes;
  private final BooleanSupplier clockSettled;
  private final BooleanSupplier whole;
  private final LongSupplier nanoTime;
  private final long deadlineNanos;
  private final CompletableFuture<Void> ready;

  /**
   * A start that has not begun.
   *
   * @param peers the other members
   * @param clockSettled whether it is known how far this node's clock can be trusted
   * @param whole whether this replica's store is filled
   * @param ready completed once clients may come, at the latest when {@code startupPeers} and the
   *     time for hints are over
   */
  Startup(
      CoreSettings settings,
      List<Lane> lanes,
      Supplier<List<MemberId>> peers,
      ProcessRegistry processes,
      BooleanSupplier clockSettled,
      BooleanSupplier whole,
      LongSupplier nanoTime,
      CompletableFuture<Void> ready) {
    this.settings = settings;
    this.lanes = lanes;
    this.peers = peers;
    this.processes = processes;
    this.clockSettled = clockSettled;
    this.whole = whole;
    this.nanoTime = nanoTime;
    this.deadlineNanos = nanoTime.getAsLong() + settings.startupPeers().toNanos();
    this.ready = ready;
  }

  void begin() {
    lanes.getFirst().loop().execute(this::pullHintsOncePeersAreReached);
  }

  private void pullHintsOncePeersAreReached() {
    if (!arePeersReached() && !isLate()) {
      again(this::pullHintsOncePeersAreReached);
      return;
    }
    Lane lane = lanes.getFirst();
    List<MemberId> reachable =
        peers.get().stream().filter(peer -> lane.transport().isConnected(peer)).toList();
    new HintPull(
            lane.replicas(),
            // A peer reads its page, perhaps behind one that it pushes, and each hint has its time.
            2 * settings.handoff().timeout().toNanos(),
            nanoTime.getAsLong() + settings.hintPullMax().toNanos(),
            nanoTime,
            this::readyOnceWhole)
        .start(reachable);
  }

  /** A rebuild may take hours, and writes are welcome meanwhile: no more than a moment's wait. */
  private void readyOnceWhole() {
    // Asked again: a peer may have begun to accept connections meanwhile.
    if (clockSettled.getAsBoolean() && (isLate() || (whole.getAsBoolean() && arePeersReached()))) {
      ready.complete(null);
    } else {
      again(this::readyOnceWhole);
    }
  }

  private boolean arePeersReached() {
    return peers.get().stream().allMatch(this::isReached);
  }

  private boolean isReached(MemberId peer) {
    return processes.isConnected(peer)
        ? processes.hasConnectedBack(peer)
            && lanes.stream().allMatch(lane -> lane.transport().isConnected(peer))
        : lanes.stream().allMatch(lane -> lane.transport().isKnown(peer));
  }

  private boolean isLate() {
    return nanoTime.getAsLong() - deadlineNanos >= 0;
  }

  private void again(Runnable step) {
    lanes.getFirst().loop().schedule(step, POLL_MILLIS, TimeUnit.MILLISECONDS);
  }
}
