package dev.kvorum.data;

/**
 * Why a replica did not do what it was asked, in the words that answers, metrics and dashboards
 * share.
 */
public enum Refusal {
  /** A queue or buffer on the way was full; nothing was done. */
  OVERLOADED("overloaded"),
  /** The request's deadline was over before the work began; nothing was done. */
  EXPIRED("expired"),
  /** The disk is nearly full; deletes and reads are still served. */
  DISK_FULL("disk-full"),
  /** The version is further ahead of the replica's clock than the cluster allows. */
  CLOCK_AHEAD("clock-ahead"),
  /** The store could not read or write; whether a write is on disk is not known. */
  STORAGE_FAILED("storage-failed"),
  /** The two nodes do not agree on the topology. */
  STALE_EPOCH("stale-epoch"),
  /** There is no connection to the replica; it may have been lost with the request under way. */
  UNREACHABLE("unreachable"),
  /** No answer came in time; whether a write was applied is not known. */
  TIMED_OUT("timed-out");

  private final String word;

  Refusal(String word) {
    this.word = word;
  }

  /** This reason's name outside the code. */
  public String word() {
    return word;
  }
}
