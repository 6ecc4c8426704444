package dev.kvorum.membership;

import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a starting node becomes a member: it claims its data directory and receives a topology that
 * lists it.
 *
 * @param first the topology to start with
 * @param file keeps newer ones; may block
 * @param onLeft notified of one that does not list this node; may block
 * @param onListed notified that one does; may block
 * @param founded whether this data directory was one of a founded cluster
 * @param source where newer ones and addresses come from
 */
public record Membership(
    Identity identity,
    Topology first,
    Consumer<Topology> file,
    Consumer<Topology> onLeft,
    Runnable onListed,
    FoundedMarker founded,
    TopologySource source) {
  private static final Logger log = LoggerFactory.getLogger(Membership.class);
  private static final long REMIND_SECONDS = 10;
  private static final int OFFERS_MAX = 64;

  /**
   * In a fixed list of peers.
   *
   * @throws ForeignDirectoryException as {@link Identity#claim}
   */
  public static Membership ofStatic(
      Path directory, StaticTopology members, MemberId self, RandomGenerator random) {
    Topology topology = members.topology();
    Identity identity =
        Identity.claim(directory, topology.clusterId(), topology.names(), self, random);
    return new Membership(
        identity,
        topology,
        newer -> {},
        newer -> {},
        () -> {},
        new FoundedMarker(directory),
        new StaticAddresses(members.addresses(), new HostNameResolver()));
  }

  /**
   * In a topology that others decide on. Blocks until one lists this node: at once if it had seen
   * one before, whether its source answers or not.
   *
   * @throws ForeignDirectoryException as {@link Identity#claim}
   * @throws java.io.UncheckedIOException when the directory cannot be used
   */
  public static Membership followed(
      Path directory,
      String clusterId,
      MemberId self,
      RandomGenerator random,
      TopologySource source) {
    Identity identity = claim(directory, clusterId, self, random);
    BlockingQueue<Topology> offers = new LinkedBlockingQueue<>(OFFERS_MAX);
    DecommissionMarker decommissionMarker = new DecommissionMarker(directory);
    OptionalLong left = decommissionMarker.epoch();
    TopologyFile file = new TopologyFile(directory);
    Optional<Topology> known = file.read().filter(kept -> left.isEmpty());
    // What does not fit is offered again at the next resync.
    source.follow(offers::offer);
    Topology first =
        known
            .filter(kept -> lists(kept, self))
            .orElseGet(() -> await(offers, clusterId, self, left.orElse(-1)));
    if (left.isPresent()) {
      log.warn("This node left in epoch {} and joins again: its old data is deleted", left);
      decommissionMarker.wipe();
      identity = claim(directory, clusterId, self, random);
    }
    file.write(first);
    return new Membership(
        identity,
        first,
        file::write,
        newer -> decommissionMarker.mark(newer.epoch()),
        decommissionMarker::recall,
        new FoundedMarker(directory),
        source);
  }

  /**
   * Keeps a newer topology; may block. A member that is not listed any more has left, and is not to
   * come back with what it holds. If it is listed again before its process ends, it has dropped its
   * records and is filled like any joining member: a later start must not treat it as
   * decommissioned.
   */
  public void keep(Topology newer, MemberId self) {
    if (lists(newer, self)) {
      onListed.run();
    } else {
      onLeft.accept(newer);
      log.warn("{} has left the cluster in epoch {}", self, newer.epoch());
    }
    file.accept(newer);
  }

  /** Whether the cluster has begun before, as far as is known outside of this member's store. */
  public boolean isFounded() {
    return founded.isThere() || source.isFounded();
  }

  /** Remembers in the data directory that the cluster has begun; may block. */
  public void noteFounded() {
    try {
      founded.write();
    } catch (UncheckedIOException e) {
      // The store records the same; the next start tries again.
      log.warn("{}", e.getMessage());
    }
  }

  private static Identity claim(
      Path directory, String clusterId, MemberId self, RandomGenerator random) {
    return Identity.claim(directory, clusterId, "", self, random);
  }

  private static boolean lists(Topology topology, MemberId self) {
    return topology.member(self).isPresent();
  }

  private static Topology await(
      BlockingQueue<Topology> offers, String clusterId, MemberId self, long leftEpoch) {
    log.info("{} waits for a topology that lists it", self);
    try {
      while (true) {
        Topology offered = offers.poll(REMIND_SECONDS, TimeUnit.SECONDS);
        if (offered == null) {
          log.info("{} still waits for a topology that lists it", self);
        } else if (!offered.clusterId().equals(clusterId)) {
          log.error(
              "The topology is of cluster '{}', this node is set to '{}' (kvorum.cluster.id)",
              offered.clusterId(),
              clusterId);
        } else if (offered.epoch() > leftEpoch && lists(offered, self)) {
          return offered;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped before any topology listed this node", e);
    }
  }
}
