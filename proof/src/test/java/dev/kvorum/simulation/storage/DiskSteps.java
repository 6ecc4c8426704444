package dev.kvorum.simulation.storage;

import java.io.IOException;
import java.util.random.RandomGenerator;

/** What a process does to files one by one: each may fail, or be the last before it dies. */
public final class DiskSteps {
  /** The process died at a step, so nothing of it may run any more. */
  public static final class DiedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DiedException() {
      super("the process died");
    }
  }

  private final SimDisk disk;
  private final RandomGenerator random;
  private final Runnable die;
  private boolean isDead;

  /**
   * Steps of one process.
   *
   * @param die ends the process
   */
  public DiskSteps(SimDisk disk, RandomGenerator random, Runnable die) {
    this.disk = disk;
    this.random = random;
    this.die = die;
  }

  SimDisk disk() {
    return disk;
  }

  RandomGenerator random() {
    return random;
  }

  /** Before something is read. */
  void read() throws IOException {
    if (isDead) {
      throw new DiedException();
    }
    failAtTimes();
  }

  /** Before something is changed. */
  void write() throws IOException {
    live();
    if (disk.full) {
      throw new IOException("the disk is full");
    }
    failAtTimes();
  }

  /** Before something is changed that needs no space and works on a failing disk. */
  void live() {
    if (!isDead && disk.stepsUntilDeath > 0 && --disk.stepsUntilDeath == 0) {
      isDead = true;
      die.run();
    }
    if (isDead) {
      throw new DiedException();
    }
  }

  private void failAtTimes() throws IOException {
    if (disk.failingShare > 0 && random.nextDouble() < disk.failingShare) {
      throw new IOException("the disk fails");
    }
  }
}
