package dev.kvorum.topology;

/** The newest topology of this node. Its epoch only grows. Safe for use by many threads. */
public final class CurrentTopology {
  private volatile Topology current;

  public CurrentTopology(Topology first) {
    this.current = first;
  }

  public Topology get() {
    return current;
  }

  /**
   * Replaces the topology if the candidate is newer.
   *
   * @return whether it was replaced
   */
  public synchronized boolean offer(Topology candidate) {
    if (candidate.epoch() <= current.epoch()) {
      return false;
    }
    current = candidate;
    return true;
  }
}
