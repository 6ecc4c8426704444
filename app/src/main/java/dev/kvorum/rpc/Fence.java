package dev.kvorum.rpc;

import dev.kvorum.topology.MemberId;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether other members refuse this process because there is another one of its name. While it is
 * raised the node neither coordinates nor serves: what it acknowledged, the other process would not
 * have ({@code docs/adr/0017}).
 *
 * <p>A process that is superseded stays fenced until it ends. One that is refused as a duplicate
 * stays fenced until each member that refused it admits it. Safe for use by many threads.
 */
public final class Fence {
  private static final Logger log = LoggerFactory.getLogger(Fence.class);

  // Each with the number of its last refusal.
  private final Map<MemberId, Long> refusing = new HashMap<>();
  private long refusals;
  private volatile boolean superseded;
  private volatile boolean raised;

  /** Whether this process must not serve now. Any thread may ask, at each request. */
  public boolean isRaised() {
    return raised;
  }

  /** Whether this process must not serve any more, until it is started again. */
  public boolean isSuperseded() {
    return superseded;
  }

  /** A member has rejected this process. */
  void refusedBy(MemberId peer, FenceNotice notice) {
    boolean first;
    synchronized (this) {
      first = !raised || (notice.reason() == FenceNotice.Reason.SUPERSEDED && !superseded);
      refusals++;
      refusing.put(peer, refusals);
      superseded |= notice.reason() == FenceNotice.Reason.SUPERSEDED;
      raised = true;
    }
    if (first) {
      log.error(
          "Fenced by {}, {}; this process rejects all requests {}",
          peer,
          notice.text(),
          superseded ? "until it is started again" : "while the other one is connected there");
    }
  }

  /** How many refusals have come so far. */
  synchronized long refusals() {
    return refusals;
  }

  /** A member has accepted this process, or is no member any more. */
  void admittedBy(MemberId peer) {
    admittedBy(peer, Long.MAX_VALUE);
  }

  /**
   * A member answered what it was asked when so many refusals had come. A refusal before that came
   * late, by an older connection, and was taken back by this one.
   */
  void admittedBy(MemberId peer, long refusalsBefore) {
    boolean lowered;
    synchronized (this) {
      boolean before = raised;
      Long last = refusing.get(peer);
      if (last != null && last <= refusalsBefore) {
        refusing.remove(peer);
      }
      raised = superseded || !refusing.isEmpty();
      lowered = before && !raised;
    }
    if (lowered) {
      log.info("No longer fenced: the members that rejected this process admit it");
    }
  }
}
