package dev.kvorum.rebalance;

/** Names of the marks in which a member persists its progress in membership changes. */
final class TransferMarks {
  /** The epoch in which the last transfer began. */
  static final String EPOCH = "transfer/epoch";

  /** Time at which it began, in Unix milliseconds. */
  static final String BEGAN = "transfer/began";

  /** The newest epoch for which all records are copied. */
  static final String DONE = "transfer/done";

  /** The newest epoch for which this member has begun to send. */
  static final String SERVED = "transfer/served";

  /** The newest epoch for which this member has begun to drop leftovers. */
  static final String CLEANUP = "transfer/cleanup";

  /** The newest epoch for which all leftovers are removed. */
  static final String CLEANED_UP = "transfer/cleaned-up";

  private TransferMarks() {}
}
