package dev.kvorum.topology;

/** The newest topology that this node has. Epochs only grow. Safe for use by many threads. */
public final class CurrentTopology {
  private volatile Topology current;

  public CurrentTopology(Topology first) {
    this.current = first;
  }

  public Topology get() {
    return current;
  }

  /**
   * Takes a topology over if it is newer than the current one.
   *
   * @return whether it was
   */
  public synchronized boolean offer(Topology candidate) {
    if (candidate.epoch() <= current.epoch()) {
      return false;
    }
    current = candidate;
    return true;
  }
}
