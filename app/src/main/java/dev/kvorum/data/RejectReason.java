package dev.kvorum.data;

/**
 * Why a replica rejected a request. The labels are the same in responses, metrics and dashboards.
 */
public enum RejectReason {
  /** A queue or buffer was full; nothing was done. */
  OVERLOADED(1, "overloaded"),
  /** The request's deadline passed before the work began; nothing was done. */
  EXPIRED(2, "expired"),
  /** The disk is nearly full; deletes and reads are still served. */
  DISK_FULL(3, "disk-full"),
  /** The version is further ahead of the replica's clock than the cluster allows. */
  CLOCK_AHEAD(4, "clock-ahead"),
  /** The store failed to read or write; whether a write is on disk is unknown. */
  STORAGE_FAILED(5, "storage-failed"),
  /** The request was planned in an older epoch than the replica's. */
  STALE_EPOCH(6, "stale-epoch"),
  /** There is no connection to the replica, or it was lost with the request in flight. */
  UNREACHABLE(7, "unreachable"),
  /** No reply arrived in time; whether a write was applied is unknown. */
  TIMED_OUT(8, "timed-out"),
  /** The replica lost its disk and is not yet rebuilt; it does not vote in reads. */
  REBUILDING(9, "rebuilding"),
  /** The write is so old that a newer tombstone may have been removed already. */
  TOO_OLD(10, "too-old"),
  /** The reply is being prepared; ask again later. */
  NOT_READY(11, "not-ready"),
  /** Another process of the same member is running, and peers therefore reject this one. */
  FENCED(12, "fenced"),
  /** The record may have been lost in a corrupted store and could not be restored from anywhere. */
  DATA_LOST(13, "data-lost"),
  /** The record does not match its checksum; it was not stored and is not used. */
  CHECKSUM_MISMATCH(14, "checksum-mismatch"),
  /** The clock's next mark is not durable, or is not determined yet by a node that starts. */
  CLOCK_NOT_READY(15, "clock-not-ready");

  private final int number;
  private final String label;

  RejectReason(int number, String label) {
    this.number = number;
    this.label = label;
  }

  /** This reason's number in the protocol, 1 to 255; never changed, never reused. */
  public int number() {
    return number;
  }

  /** This reason's label in responses and metrics. */
  public String label() {
    return label;
  }
}
