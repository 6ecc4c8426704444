package dev.kvorum.rpc;

import dev.kvorum.metrics.RpcMeters;
import dev.kvorum.rpc.FenceNotice.Reason;
import dev.kvorum.topology.MemberId;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks which process of each peer this node accepts: one at a time, over all event loops and in
 * both directions ({@code docs/adr/0017}). Two processes of one member would each acknowledge
 * writes that the other does not have.
 *
 * <p>On one data directory, the later process wins at once. Between two directories there is no
 * order: the connected process stays. Once its connections have closed and the other process was
 * admitted, it is not admitted again. Safe for use by many threads.
 */
public final class ProcessRegistry {
  private static final Logger log = LoggerFactory.getLogger(ProcessRegistry.class);

  /** Number of directories per member whose retired processes are remembered. */
  private static final int RETIRED_MAX = 16;

  /** An established connection, in either direction. */
  public interface Link {
    /** Returns whether the peer made the connection. */
    boolean isInbound();

    /** Closes the connection, since its process is fenced. Safe for any thread. */
    void fence(FenceNotice notice);

    /** Closes the connection; nothing more is sent on it. Safe for any thread. */
    void cutOff(String why);
  }

  private final RpcMeters meters;
  private final Map<MemberId, Entry> entries = new HashMap<>();

  public ProcessRegistry(RpcMeters meters) {
    this.meters = meters;
  }

  /** State of one member; guarded by the registry. */
  private static final class Entry {
    private ProcessId current;
    private int loops;
    private Set<Link> links = new LinkedHashSet<>();
    private @Nullable ProcessId lastFenced;

    // By directory, the largest generation that is no longer admitted.
    private final Map<Long, Long> retired =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > RETIRED_MAX;
          }
        };

    Entry(ProcessId first) {
      current = first;
    }

    /** Why a process is not admitted, or null if it is. */
    @Nullable FenceNotice objection(ProcessId process) {
      Long retiredUpTo = retired.get(process.incarnation());
      boolean late = retiredUpTo != null && process.generation() <= retiredUpTo;
      if (late || current.supersedes(process)) {
        return new FenceNotice(Reason.SUPERSEDED, current);
      }
      boolean other = process.incarnation() != current.incarnation();
      return other && !links.isEmpty() ? new FenceNotice(Reason.DUPLICATE, current) : null;
    }

    /** Replaces the current process and returns the connections of the old one. */
    Collection<Link> replace(ProcessId process) {
      retired.merge(current.incarnation(), current.generation(), Math::max);
      Collection<Link> old = links;
      current = process;
      links = new LinkedHashSet<>();
      return old;
    }
  }

  RpcMeters meters() {
    return meters;
  }

  /**
   * Admits a connection with a valid handshake, or returns why its process is fenced. Connections
   * of a process that this one replaces are closed before the call returns or soon after.
   *
   * @param loops number of connections that the member makes to each peer
   */
  Optional<FenceNotice> enter(MemberId member, ProcessId process, int loops, Link link) {
    Collection<Link> closing = List.of();
    FenceNotice rejected;
    boolean news;
    synchronized (this) {
      Entry entry = entries.computeIfAbsent(member, name -> new Entry(process));
      rejected = entry.objection(process);
      news = rejected != null && !process.equals(entry.lastFenced);
      if (rejected == null) {
        closing = process.equals(entry.current) ? closing : entry.replace(process);
        entry.loops = loops;
        entry.links.add(link);
      } else {
        entry.lastFenced = process;
      }
    }
    if (rejected != null) {
      report(member, process, rejected, news);
    } else if (!closing.isEmpty()) {
      FenceNotice superseded = new FenceNotice(Reason.SUPERSEDED, process);
      log.warn("Closed the connections of an older process of {}: {}", member, superseded.text());
      closing.forEach(old -> old.fence(superseded));
    }
    return Optional.ofNullable(rejected);
  }

  private void report(MemberId member, ProcessId process, FenceNotice notice, boolean news) {
    meters.fenced(notice.reason().label());
    if (news) {
      log.warn("Fenced process {} of {}: {}", process, member, notice.text());
    }
  }

  /** Removes a closed connection. */
  synchronized void leave(MemberId member, Link link) {
    Entry entry = entries.get(member);
    if (entry != null) {
      entry.links.remove(link);
    }
  }

  /** The members with a connection to or from them. */
  synchronized Set<MemberId> connected() {
    return entries.keySet().stream().filter(this::isConnected).collect(Collectors.toSet());
  }

  /** Closes all connections to and from a member. */
  void cutOff(MemberId member, String why) {
    List<Link> links;
    synchronized (this) {
      Entry entry = entries.get(member);
      links = entry == null ? List.of() : List.copyOf(entry.links);
    }
    log.warn("Closed the connections of {}: {}", member, why);
    links.forEach(link -> link.cutOff(why));
  }

  /** Returns whether there is a connection to or from a member. */
  public synchronized boolean isConnected(MemberId member) {
    Entry entry = entries.get(member);
    return entry != null && !entry.links.isEmpty();
  }

  /** Returns whether a member has connected to this node from each of its event loops. */
  public synchronized boolean hasConnectedBack(MemberId member) {
    Entry entry = entries.get(member);
    return entry != null
        && entry.links.stream().filter(Link::isInbound).count() >= Math.max(1, entry.loops);
  }

  /** The process of a member that this node accepts, or accepted last. */
  public synchronized Optional<ProcessId> current(MemberId member) {
    return Optional.ofNullable(entries.get(member)).map(entry -> entry.current);
  }
}
