package dev.kvorum.rebalance;

/** What a member remembers of changes, under the names of its marks. */
final class TransferMarks {
  /** The epoch in which the last transfer began. */
  static final String EPOCH = "transfer/epoch";

  /** When it began, Unix milliseconds. */
  static final String BEGAN = "transfer/began";

  /** The newest epoch for which all is copied. */
  static final String DONE = "transfer/done";

  /** The newest epoch for which this member has begun to send. */
  static final String SERVED = "transfer/served";

  /** The newest epoch for which this member has begun to let go of what belongs to others. */
  static final String CLEARING = "transfer/clearing";

  /** The newest epoch for which all that belongs to others is gone. */
  static final String CLEARED = "transfer/cleared";

  private TransferMarks() {}
}
