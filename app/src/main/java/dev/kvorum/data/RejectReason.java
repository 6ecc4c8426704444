package dev.kvorum.data;

/**
 * Why a replica did not do what it was asked, in the words that answers, metrics and dashboards
 * share.
 */
public enum RejectReason {
  /** A queue or buffer on the way was full; nothing was done. */
  OVERLOADED(1, "overloaded"),
  /** The request's deadline was over before the work began; nothing was done. */
  EXPIRED(2, "expired"),
  /** The disk is nearly full; deletes and reads are still served. */
  DISK_FULL(3, "disk-full"),
  /** The version is further ahead of the replica's clock than the cluster allows. */
  CLOCK_AHEAD(4, "clock-ahead"),
  /** The store could not read or write; whether a write is on disk is not known. */
  STORAGE_FAILED(5, "storage-failed"),
  /** The two nodes do not agree on the topology. */
  STALE_EPOCH(6, "stale-epoch"),
  /** There is no connection to the replica; it may have been lost with the request under way. */
  UNREACHABLE(7, "unreachable"),
  /** No answer came in time; whether a write was applied is not known. */
  TIMED_OUT(8, "timed-out"),
  /** The replica lost its disk and is not yet rebuilt; it does not vote in reads. */
  REBUILDING(9, "rebuilding"),
  /** The write is so old that a tombstone newer than it may have been removed already. */
  TOO_OLD(10, "too-old"),
  /** What was asked for is being prepared; to be asked again later. */
  NOT_READY(11, "not-ready"),
  /** Another process of the same member runs, and others refuse this one because of it. */
  FENCED(12, "fenced"),
  /** The record may have been lost in a corrupted store and could be had from nowhere. */
  DATA_LOST(13, "data-lost"),
  /** A record does not match its checksum; it was not stored, and is not used. */
  CHECKSUM_MISMATCH(14, "checksum-mismatch");

  private final int number;
  private final String label;

  RejectReason(int number, String label) {
    this.number = number;
    this.label = label;
  }

  /** This reason between nodes, 1 to 255; never changed, never reused. */
  public int number() {
    return number;
  }

  /** This reason's name outside the code. */
  public String label() {
    return label;
  }
}
