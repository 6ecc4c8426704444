package dev.kvorum.rebalance;

/** A member's persistent state of membership changes, by the names of its marks. */
final class TransferMarks {
  /** The epoch in which the last transfer began. */
  static final String EPOCH = "transfer/epoch";

  /** When it began, Unix milliseconds. */
  static final String BEGAN = "transfer/began";

  /** The newest epoch for which all is copied. */
  static final String DONE = "transfer/done";

  /** The newest epoch for which this member has begun to send. */
  static final String SERVED = "transfer/served";

  /** The newest epoch for which this member has begun to drop what belongs to others. */
  static final String CLEANUP = "transfer/clearing";

  /** The newest epoch for which all that belongs to others is gone. */
  static final String CLEANED_UP = "transfer/cleared";

  private TransferMarks() {}
}
