package dev.kvorum.simulation.faults;

import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Wall clocks that are wrong by minutes to a month, forward or backward, one member's at a time: of
 * a process that runs, that is stopped meanwhile, or that is started with it. Members join, leave,
 * move and are removed meanwhile.
 *
 * <p>A node relies on its last readings of the other clocks. So a start with a wrong clock, and a
 * jump of another member's clock after that, happen in a calm phase in which all nodes are
 * connected; other faults occur before and after. A disk may be lost at the same time: the one of
 * the wrong clock, or of another member beside a stamp from the future.
 */
public final class ClockJumps {
  private static final long CALM_MILLIS = 3000;
  private static final List<Duration> FAR =
      List.of(Duration.ofMinutes(2), Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(31));

  private final SimCluster cluster;
  private final SplittableRandom random;
  private final BiConsumer<String, String> count;
  private final Consumer<SimNode> loseDisk;
  // Heard all others when they were right.
  private @Nullable SimProcess informed;
  private boolean calm;
  private boolean wrong;
  private boolean over;

  /**
   * Clocks that are right.
   *
   * @param count notified of each fault's kind and where it is
   * @param loseDisk has a node lose its disk, if that may be now
   */
  ClockJumps(
      SimCluster cluster,
      SplittableRandom random,
      BiConsumer<String, String> count,
      Consumer<SimNode> loseDisk) {
    this.cluster = cluster;
    this.random = random;
    this.count = count;
    this.loseDisk = loseDisk;
  }

  void start() {
    later(500 + random.nextLong(2000), this::next);
  }

  /** Whether nothing else may go wrong now. */
  boolean isCalm() {
    return calm;
  }

  /**
   * Whether a process that starts when this one has ended, or starts here, may read no clock but a
   * wrong one: which of two is wrong cannot be determined (ADR 0015).
   */
  boolean mislead(SimNode node) {
    return wrong
        && cluster.nodes().stream().anyMatch(other -> other != node && isAway(other, node));
  }

  private boolean isAway(SimNode other, SimNode node) {
    return !isUp(other)
        || cluster.network.isCut(other.id, node.id)
        || cluster.network.isCut(node.id, other.id);
  }

  /** From now on all clocks are right. */
  void end() {
    over = true;
    wrong = false;
    calm(false);
    cluster.nodes().forEach(node -> node.clock.correct());
  }

  private void next() {
    SimNode node = cluster.anyNode(random);
    boolean starts = random.nextInt(4) == 0;
    if (!areAllUp()) {
      later(200, this::next);
    } else if (node.process() == informed && !starts) {
      jump(node);
    } else {
      calm(true);
      later(CALM_MILLIS, () -> amidCalm(node, starts));
    }
  }

  private void amidCalm(SimNode node, boolean starts) {
    if (!areAllUp()) {
      calm(false);
      later(200, this::next);
    } else if (starts) {
      restart(node);
    } else {
      calm(false);
      jump(node);
    }
  }

  private boolean areAllUp() {
    return cluster.nodes().stream().allMatch(node -> isUp(node) && reachesAll(node));
  }

  /** One that is fenced reads no clock, also in a calm phase. */
  private boolean reachesAll(SimNode node) {
    SimProcess process = node.process();
    return process != null
        && cluster.nodes().stream()
            .allMatch(other -> other == node || process.isConnected(other.id));
  }

  private static boolean isUp(SimNode node) {
    SimProcess process = node.process();
    return process != null
        && process.isReady()
        && !node.isStopped()
        && process.core().peerClocks().majorityMillis().isPresent();
  }

  /** The clock is wrong as the process starts, which then reads the others' clocks. */
  private void restart(SimNode node) {
    long millis = millis();
    count("clock-wrong-start", node, millis);
    cluster.crash(node, false);
    if (mayLoseADisk() && cluster.areOthersComplete(node)) {
      count("clock-wrong-lost-disk", node, millis);
      node.disk.wipe();
    }
    node.disk.failingShare = 0;
    node.clock.jump(millis, true);
    later(50 + random.nextLong(200), node::start);
    later(
        CALM_MILLIS,
        () -> {
          calm(false);
          node.clock.jump(node.isReady() ? millis : 0, false);
          wrong = node.isReady();
          correctLater(node);
        });
  }

  private void jump(SimNode node) {
    long millis = millis();
    wrong = true;
    informed = node.process();
    if (random.nextInt(4) == 0) {
      count("clock-wrong-stopped", node, millis);
      node.stop();
      later(
          random.nextLong(1500),
          () -> {
            node.clock.jump(millis, false);
            later(random.nextLong(1500), node::resume);
            correctLater(node);
          });
    } else {
      count("clock-wrong", node, millis);
      node.clock.jump(millis, false);
      loseDiskMeanwhile(node);
      correctLater(node);
    }
  }

  private boolean mayLoseADisk() {
    return cluster.profile.wipes() && random.nextBoolean();
  }

  private void loseDiskMeanwhile(SimNode node) {
    SimNode lost = cluster.anyNode(random);
    if (lost == node || !mayLoseADisk()) {
      return;
    }
    later(
        random.nextLong(1500),
        () -> {
          SimProcess process = node.process();
          if (process == null || !wrong || !cluster.areOthersComplete(lost)) {
            return;
          }
          count.accept("clock-wrong-lost-disk", lost.id.name());
          if (random.nextBoolean()) {
            new ClockRemains(cluster).leaveStampOn(node, process);
          }
          loseDisk.accept(lost);
        });
  }

  private void correctLater(SimNode node) {
    informed = node.process();
    boolean isLong = random.nextInt(4) == 0 || cluster.profile.changes();
    long epoch = cluster.operator.topology().epoch();
    later(
        isLong ? random.nextLong(15_000) : random.nextLong(3000),
        () -> {
          cluster.trace.note("clock right " + node.id);
          if (cluster.operator.topology().epoch() > epoch) {
            count.accept("clock-wrong-change", node.id.name());
          }
          node.clock.correct();
          wrong = false;
          later(300 + random.nextLong(2500), this::next);
        });
  }

  /** How far off a wrong clock is. */
  public long millis() {
    long millis = FAR.get(random.nextInt(FAR.size())).toMillis();
    return random.nextInt(3) == 0 ? -millis : millis;
  }

  private void calm(boolean isCalm) {
    calm = isCalm;
    cluster.network.calm(isCalm);
  }

  private void count(String kind, SimNode node, long millis) {
    count.accept(kind, node.id + " " + Duration.ofMillis(millis));
  }

  private void later(long millis, Runnable action) {
    cluster.time.schedule(
        () -> {
          if (!over) {
            action.run();
          }
        },
        millis,
        TimeUnit.MILLISECONDS);
  }
}
