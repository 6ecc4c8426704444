package dev.kvorum.membership;

import dev.kvorum.topology.ActiveFeatures;
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
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a starting node a member: claims its data directory and receives a topology that lists it.
 *
 * @param features those that are active in the data directory, and where further ones are stored
 * @param first the topology to start with
 * @param file stores newer topologies; may block
 * @param onLeft called with a topology that does not list this node; may block
 * @param onListed called when a topology lists this node; may block
 * @param founded marker of whether this data directory belongs to a founded cluster
 * @param restoreOrder keeps the backup that the cluster is restored from
 * @param source source of newer topologies and of addresses
 */
public record Membership(
    IdentityFile identity,
    ActiveFeatures features,
    Topology first,
    Consumer<Topology> file,
    Consumer<Topology> onLeft,
    Runnable onListed,
    FoundedMarker founded,
    RestoreOrderFile restoreOrder,
    TopologySource source) {
  private static final Logger log = LoggerFactory.getLogger(Membership.class);
  private static final long REMIND_SECONDS = 10;
  private static final int OFFERS_MAX = 64;

  /**
   * Creates the membership in a static list of peers.
   *
   * @throws ForeignDirectoryException as {@link IdentityFile#claim}
   */
  public static Membership ofStatic(
      Path directory, StaticTopology members, MemberId self, RandomGenerator random) {
    Topology topology = members.topology();
    IdentityFile identity =
        IdentityFile.claim(directory, topology.clusterId(), topology.names(), self, random);
    return new Membership(
        identity,
        features(identity, directory),
        topology,
        newer -> {},
        newer -> {},
        () -> {},
        new FoundedMarker(directory),
        new RestoreOrderFile(directory, text -> false),
        new StaticAddresses(members.addresses(), new HostNameResolver()));
  }

  /**
   * Creates the membership in a topology from an external source. Blocks until a topology lists
   * this node. It returns at once if a stored topology lists it, whether or not the source replies.
   *
   * @param isBackup returns whether a text has the form of a backup's id
   * @throws IllegalArgumentException if the topology is restored from something else
   * @throws ForeignDirectoryException as {@link IdentityFile#claim}
   * @throws java.io.UncheckedIOException if the directory cannot be used
   */
  public static Membership followed(
      Path directory,
      String clusterId,
      MemberId self,
      RandomGenerator random,
      TopologySource source,
      Predicate<String> isBackup) {
    IdentityFile identity = claim(directory, clusterId, self, random);
    BlockingQueue<Topology> offers = new LinkedBlockingQueue<>(OFFERS_MAX);
    DecommissionedDirectory decommissioned = new DecommissionedDirectory(directory);
    OptionalLong left = decommissioned.epoch();
    TopologyFile file = new TopologyFile(directory);
    Optional<Topology> known = file.read().filter(kept -> left.isEmpty() && lists(kept, self));
    // Offers beyond the capacity are repeated at the next resync.
    source.follow(offers::offer);
    Topology first = known.orElseGet(() -> await(source, offers, clusterId, self, left));
    if (left.isPresent()) {
      log.warn("This node left in epoch {} and joins again: deleting its old data", left);
      decommissioned.wipe();
      identity = claim(directory, clusterId, self, random);
    }
    ActiveFeatures features = features(identity, directory);
    RestoreOrderFile restoreOrder = new RestoreOrderFile(directory, isBackup);
    if (known.isEmpty()) {
      // First, since a start that finds a stored topology does not wait for the source.
      restoreOrder.keep(source.restore());
    }
    // First, so that a release that knows no features does not read the file.
    features.activate(first.features());
    file.write(first);
    return new Membership(
        identity,
        features,
        first,
        file::write,
        newer -> decommissioned.mark(newer.epoch()),
        decommissioned::recall,
        new FoundedMarker(directory),
        restoreOrder,
        source);
  }

  /**
   * Stores a newer topology; may block. A member that is no longer listed has left, and its
   * directory is marked as decommissioned. If it is listed again before its process ends, it has
   * dropped its records and is filled like any joining member. The marker is then removed, so that
   * a later start does not treat it as decommissioned.
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

  /**
   * Returns whether the cluster is known to be founded, from sources other than this member's
   * store.
   */
  public boolean isFounded() {
    return founded.isThere() || source.isFounded();
  }

  /** Marks the cluster as founded in the data directory; may block. */
  public void noteFounded() {
    try {
      founded.write();
    } catch (UncheckedIOException e) {
      // The store records the same; the next start tries again.
      log.warn("{}", e.getMessage());
    }
  }

  /**
   * Id of the backup that the cluster is restored from, until it is; the last one known if the
   * source has reported none. May block.
   *
   * @throws IllegalArgumentException if the source has reported something else
   * @throws UncheckedIOException if it cannot be read
   */
  public Optional<String> restore() {
    return restoreOrder.checked(source.restore()).or(restoreOrder::read);
  }

  /**
   * Keeps in the data directory which backup the source reports, once it has reported a topology;
   * may block.
   *
   * @return whether it has reported one
   * @throws IllegalArgumentException if it has reported something else
   * @throws UncheckedIOException if it cannot be written
   */
  public boolean noteRestore() {
    Optional<String> reported = source.restore();
    restoreOrder.keep(reported);
    return reported.isPresent();
  }

  private static ActiveFeatures features(IdentityFile identity, Path directory) {
    return new ActiveFeatures(identity.features(), all -> identity.keep(all, directory));
  }

  private static IdentityFile claim(
      Path directory, String clusterId, MemberId self, RandomGenerator random) {
    return IdentityFile.claim(directory, clusterId, "", self, random);
  }

  private static boolean lists(Topology topology, MemberId self) {
    return topology.member(self).isPresent();
  }

  private static Topology await(
      TopologySource source,
      BlockingQueue<Topology> offers,
      String clusterId,
      MemberId self,
      OptionalLong left) {
    log.info("{} is waiting for a topology that lists it", self);
    source.reportWaiting(left);
    // Spring's own hook waits until the application context is complete.
    Thread stop = new Thread(Thread.currentThread()::interrupt, "stop-waiting");
    Runtime.getRuntime().addShutdownHook(stop);
    try {
      while (true) {
        Topology offered = offers.poll(REMIND_SECONDS, TimeUnit.SECONDS);
        if (offered == null) {
          log.info("{} is still waiting for a topology that lists it", self);
        } else if (!offered.clusterId().equals(clusterId)) {
          log.error(
              "The topology is of cluster '{}', this node is set to '{}' (kvorum.cluster.id)",
              offered.clusterId(),
              clusterId);
        } else if (offered.epoch() > left.orElse(-1) && lists(offered, self)) {
          source.reportListed();
          return offered;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped before any topology listed this node", e);
    } finally {
      removeHook(stop);
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // It has run.
    }
  }
}
