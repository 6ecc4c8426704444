package dev.kvorum.rpc;

import dev.kvorum.topology.MemberId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks whether other members reject this process because another process of its member is
 * running. While fenced, the node neither coordinates nor serves requests: the other process would
 * lack what this one acknowledges ({@code docs/adr/0017}).
 *
 * <p>A superseded process stays fenced until it ends. A process rejected as a duplicate stays
 * fenced until each member that rejected it admits it, also while that member cannot be reached: it
 * may be serving the other process behind a cut. Safe for use by many threads.
 */
public final class Fence {
  private static final Logger log = LoggerFactory.getLogger(Fence.class);

  // Members that reject this process, with the number of their last rejection.
  private final Map<MemberId, Long> rejecting = new HashMap<>();
  // Members that could not be reached since their last rejection.
  private final Set<MemberId> unreached = new HashSet<>();
  private long rejections;
  private volatile boolean superseded;
  private volatile boolean raised;

  /**
   * Returns whether this process must not serve now. Safe for any thread; called for each request.
   */
  public boolean isRaised() {
    return raised;
  }

  /** Returns whether this process must not serve until it is restarted. */
  public boolean isSuperseded() {
    return superseded;
  }

  /** Records that a member has rejected this process. */
  void rejectedBy(MemberId peer, FenceNotice notice) {
    boolean first;
    synchronized (this) {
      first = !raised || (notice.reason() == FenceNotice.Reason.SUPERSEDED && !superseded);
      rejections++;
      rejecting.put(peer, rejections);
      unreached.remove(peer);
      superseded |= notice.reason() == FenceNotice.Reason.SUPERSEDED;
      raised = true;
    }
    if (first) {
      log.error(
          "Fenced by {}, {}; this process rejects all requests {}",
          peer,
          notice.text(),
          superseded ? "until it is restarted" : "until " + peer + " admits it");
    }
  }

  /** Records that a member cannot be reached. If it has rejected this process, the fence stays. */
  void notReached(MemberId peer) {
    boolean news;
    synchronized (this) {
      news = rejecting.containsKey(peer) && unreached.add(peer) && !superseded;
    }
    if (news) {
      log.warn(
          "Still fenced by {}, which cannot be reached now; this process rejects all requests until"
              + " {} is back and admits it, or is no longer a member. If the other process of this"
              + " member has certainly ended, restart this one",
          peer,
          peer);
    }
  }

  /** Members that reject this process. */
  public synchronized Set<MemberId> rejecting() {
    return Set.copyOf(rejecting.keySet());
  }

  /** Members that could not be reached since they last rejected this process. */
  public synchronized Set<MemberId> unreached() {
    return Set.copyOf(unreached);
  }

  /** Number of rejections so far. */
  synchronized long rejections() {
    return rejections;
  }

  /** Records that a member has accepted this process, or is no longer a member. */
  void admittedBy(MemberId peer) {
    admittedBy(peer, Long.MAX_VALUE);
  }

  /**
   * Records that a member has replied to a request. Rejections up to the given number are void:
   * they arrived late on an older connection, and the newer connection was accepted.
   *
   * @param rejectionsBefore value of {@link #rejections} when the request was sent
   */
  void admittedBy(MemberId peer, long rejectionsBefore) {
    boolean lowered;
    synchronized (this) {
      boolean before = raised;
      Long last = rejecting.get(peer);
      if (last != null && last <= rejectionsBefore) {
        rejecting.remove(peer);
      }
      raised = superseded || !rejecting.isEmpty();
      lowered = before && !raised;
    }
    if (lowered) {
      log.info("No longer fenced: the members that rejected this process admit it");
    }
  }
}
