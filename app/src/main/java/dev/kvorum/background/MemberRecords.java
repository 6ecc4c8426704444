package dev.kvorum.background;

import dev.kvorum.topology.MemberId;

/** The records of this member, which repair completes and membership changes copy. */
public interface MemberRecords {
  /** The receiver of streamed records. */
  StreamReceiver receiver();

  /** Whether this member has all of its slots. Safe for any thread. */
  boolean hasAll();

  /**
   * Whether peers may copy the records of this member: it has all, and none that was deleted and
   * purged without it. Safe for any thread.
   */
  boolean handsOn();

  /** Records contact by a member that copies from this one: no tombstone is removed without it. */
  void contacted(MemberId member);

  /**
   * Records that all records of this member were streamed after a time, so that it has missed no
   * tombstone removed before; on the loop. Has an effect on joining members only.
   *
   * @param next run once that is durable
   */
  void filledSince(long millis, Runnable next);
}
