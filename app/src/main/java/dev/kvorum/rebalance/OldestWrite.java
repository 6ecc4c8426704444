package dev.kvorum.rebalance;

import dev.kvorum.data.Version;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.WriteListener;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.function.Supplier;

/**
 * The oldest version that writes have brought to this member since a change of the members began:
 * what a first copy may have missed. A version does not show when it arrived, since the clock that
 * issued it may have been behind by any amount.
 *
 * <p>Safe for use by many threads: writes arrive on all loops.
 */
final class OldestWrite implements WriteListener {
  private final Supplier<Layout> layouts;
  private long change;
  private boolean complete;
  private long oldest = Long.MAX_VALUE;

  /**
   * Nothing has come.
   *
   * @param layouts by which this node plans, which it does before it works in their epoch
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
   * A change begins, and nothing that came before its epoch waits to be stored.
   *
   * @param isFirst whether nothing has been sent to anybody in this epoch before
   */
  synchronized void begins(Topology topology, boolean isFirst) {
    if (topology.phase() == Phase.TRANSFERRING) {
      if (change != topology.epoch()) {
        startOf(topology.epoch());
      }
      complete = isFirst;
    }
  }

  /** The store is another one: it is filled by no writes. */
  synchronized void onStoreReplaced() {
    complete = false;
  }

  /** No version that came since a change began in this epoch has an older stamp; 0 if unknown. */
  synchronized long oldestSince(long epoch) {
    return complete && change == epoch ? oldest : 0;
  }
}
