package dev.kvorum.rebalance;

import dev.kvorum.data.Version;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.WriteListener;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.function.Supplier;

/**
 * Tracks the oldest version that writes have brought to this member since a membership change
 * began. A first copy may have missed these writes. A version does not show when it arrived, since
 * the clock that issued it may have been behind by any amount.
 *
 * <p>Safe for use by many threads: writes arrive on all event loops.
 */
final class OldestWrite implements WriteListener {
  private final Supplier<Layout> layouts;
  private long change;
  private boolean complete;
  private long oldest = Long.MAX_VALUE;

  /**
   * Creates a tracker that has seen no write.
   *
   * @param layouts the layouts by which this node plans; it uses a layout before it serves its
   *     epoch
   */
  OldestWrite(Supplier<Layout> layouts) {
    this.layouts = layouts;
  }

  @Override
  public void arriving(Version version) {
    Topology now = layouts.get().topology();
    switch (now.phase()) {
      case STABLE -> {}
      case TRANSFERRING -> note(now.epoch(), version.stamp());
      case SETTLING -> note(now.epoch() - 1, version.stamp());
    }
  }

  private synchronized void note(long epoch, long stamp) {
    if (change != epoch) {
      startOf(epoch);
    }
    oldest = Math.min(oldest, stamp);
  }

  private void startOf(long epoch) {
    change = epoch;
    complete = false;
    oldest = Long.MAX_VALUE;
  }

  /**
   * Records that a change begins and that all writes of earlier epochs are stored.
   *
   * @param isFirst whether this member has sent no records in this epoch before
   */
  synchronized void begins(Topology topology, boolean isFirst) {
    if (topology.phase() == Phase.TRANSFERRING) {
      if (change != topology.epoch()) {
        startOf(topology.epoch());
      }
      complete = isFirst;
    }
  }

  /** Makes the result unknown: the store was replaced, and a rebuild fills it without writes. */
  synchronized void onStoreReplaced() {
    complete = false;
  }

  /** Oldest stamp of the writes since the change of this epoch began; 0 if unknown. */
  synchronized long oldestSince(long epoch) {
    return complete && change == epoch ? oldest : 0;
  }
}
