package dev.kvorum.simulation.cluster;

import dev.kvorum.simulation.network.SimNetwork;
import dev.kvorum.simulation.run.Trace;
import dev.kvorum.simulation.storage.DiskSteps.DiedException;
import dev.kvorum.simulation.storage.SimDisk;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.MemberId;
import dev.kvorum.virtualtime.VirtualLoop;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A machine with its disk, its clock and, most of the time, a process. */
public final class SimNode {
  private static final long MISLED_MILLIS = 500;

  public final MemberId id;
  public SimDisk disk;
  public final SimClock clock;
  private final VirtualLoop time;
  private final RandomGenerator random;
  private final SimNetwork network;
  private final Trace trace;
  private final Supervisor supervisor;
  private @Nullable SimProcess process;
  private boolean powered = true;
  private boolean stopped;

  /** Whether its process will be moved, and takes no requests of clients any more. */
  public boolean isDetaching;

  /** Whether the platform has a place for its process. */
  public BooleanSupplier mayStart = () -> true;

  /** The features of the release that is installed. */
  private Set<Feature> release = Feature.all();

  private boolean hasHadAll = true;

  /** Whether its machine is lost, as long as it is a member. */
  public boolean isLost;

  /** The epoch in which it was added again with its disk; 0: never. */
  long returnedIn;

  /** Whether it is away for so long that it may have to start again. */
  public boolean isAway;

  /** Starts the processes of a machine. */
  interface Supervisor {
    /** Whether one that starts now may read no other clock than a wrong one, and has to wait. */
    boolean isMisled(SimNode node);

    SimProcess boot(SimNode node);
  }

  /** A machine without a process. */
  SimNode(
      SimDisk disk,
      SimClock clock,
      RandomGenerator random,
      SimNetwork network,
      Trace trace,
      Supervisor supervisor) {
    this.id = disk.owner;
    this.disk = disk;
    this.clock = clock;
    this.time = clock.time();
    this.random = random;
    this.network = network;
    this.trace = trace;
    this.supervisor = supervisor;
  }

  /** Installs a release for the next process; nothing newer has ever been installed. */
  public void installFirst(Set<Feature> features) {
    install(features);
    hasHadAll = features.equals(Feature.all());
  }

  /** Installs a release for the next process. */
  public void install(Set<Feature> features) {
    release = features;
    hasHadAll |= features.equals(Feature.all());
  }

  public Set<Feature> release() {
    return release;
  }

  /** Whether a release with all features was ever installed. */
  boolean hasHadAll() {
    return hasHadAll;
  }

  /** The process that runs, if there is one. */
  public @Nullable SimProcess process() {
    return process;
  }

  /** Whether clients are sent here. */
  public boolean isReady() {
    SimProcess running = process;
    return running != null && running.isReady() && !isDetaching;
  }

  public boolean isRunning() {
    return process != null;
  }

  public boolean isStopped() {
    return stopped;
  }

  /** Whether the machine itself answers. */
  boolean isPowered() {
    return powered;
  }

  /** Starts a process if there is none. */
  public void start() {
    if (process != null || isLost || !mayStart.getAsBoolean()) {
      return;
    }
    if (supervisor.isMisled(this)) {
      time.schedule(this::start, MISLED_MILLIS, TimeUnit.MILLISECONDS);
      return;
    }
    powered = true;
    clock.boot();
    trace.note("start " + id);
    SimProcess started;
    try {
      started = supervisor.boot(this);
    } catch (DiedException e) {
      // It died at a step on its disk, and Restarts has scheduled the next start.
      return;
    } catch (StoreOpenException | SimRelease.RejectedException e) {
      trace.note("start failed " + id + ": " + e.getMessage());
      time.schedule(this::start, 1, TimeUnit.SECONDS);
      return;
    }
    process = started;
    started.start(() -> {
      // What supervises processes starts them again.
      trace.note("start failed " + id);
      end(started);
      time.schedule(this::start, 1, TimeUnit.SECONDS);
    });
  }

  /** Ends the process at once; with {@code power} the machine too. */
  void crash(boolean power) {
    SimProcess running = process;
    trace.note((power ? "power cut " : "kill ") + id);
    if (running != null) {
      running.store.die();
      end(running);
    }
    if (power) {
      powered = false;
      disk.losePower(random);
    }
  }

  private void end(SimProcess ended) {
    if (process == ended) {
      ended.kill();
      process = null;
      stopped = false;
      network.close(id);
    }
  }

  /**
   * Detaches the process, which continues elsewhere with its disk; this node then has none.
   *
   * @param isDiskLost whether the next process begins with an empty disk; else with a copy
   */
  public SimProcess detach(SimProcess running, boolean isDiskLost) {
    disk = disk.detach(isDiskLost, running.store.mark(MarkStore.CLOCK_HIGH_WATER));
    process = null;
    return running;
  }

  /** Holds the process still. */
  public void stop() {
    SimProcess running = process;
    if (running != null) {
      trace.note("stop " + id);
      stopped = true;
      running.stop();
    }
  }

  /** Resumes it. */
  public void resume() {
    SimProcess running = process;
    if (running != null && stopped) {
      trace.note("go on " + id);
      stopped = false;
      running.resume();
    }
  }
}
