package dev.kvorum.replica;

import dev.kvorum.topology.MemberId;
import java.util.HashSet;
import java.util.Set;
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

  private final Set<MemberId> refusing = new HashSet<>();
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

  /** A member does not talk to this process. */
  void refusedBy(MemberId peer, FenceNotice notice) {
    boolean first;
    synchronized (this) {
      first = !raised || (notice.reason() == FenceNotice.Reason.SUPERSEDED && !superseded);
      refusing.add(peer);
      superseded |= notice.reason() == FenceNotice.Reason.SUPERSEDED;
      raised = true;
    }
    if (first) {
      log.error(
          "Fenced by {}, {}; this process refuses all requests {}",
          peer,
          notice.text(),
          superseded ? "until it is started again" : "while the other one is connected there");
    }
  }

  /** A member talks to this process, or is no member any more. */
  void admittedBy(MemberId peer) {
    boolean lowered;
    synchronized (this) {
      boolean before = raised;
      refusing.remove(peer);
      raised = superseded || !refusing.isEmpty();
      lowered = before && !raised;
    }
    if (lowered) {
      log.info("No longer fenced: the members that refused this process admit it");
    }
  }
}
