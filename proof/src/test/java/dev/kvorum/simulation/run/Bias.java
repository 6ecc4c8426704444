package dev.kvorum.simulation.run;

import dev.kvorum.simulation.run.Profile.Trouble;
import java.util.SplittableRandom;

/** What a run does unusually often, to exercise rarely needed rules; most have no bias. */
public enum Bias {
  NONE(0),
  /** Members change all the time, and writes reach some of their replicas only. */
  MEMBERS(0.45),
  /** Disks are lost, and back at once, where one replica of three is behind and one away. */
  DISKS(0.3),
  /** Members leave, and each step has writes and reads during its possible failures. */
  CHANGES,
  /**
   * An emptied member is asked to acknowledge by a clock that is behind; of five members, two are
   * emptied at once.
   */
  FLOORS,
  /** Tombstones are kept from a member, or members away, for nearly as long as they may be. */
  TOMBSTONES,
  /** Processes are paused for long, during writes. */
  PAUSES,
  /** People change the number of members all the time, and the operator's planner follows. */
  PLANS,
  /** Members run two releases, of which one lacks a feature. */
  UPGRADES;

  private static final int ONE_IN = 12;
  private static final int SCENES_ONE_IN = 40;

  /** Share of the frames with writes that are lost beside what befalls all frames. */
  public final double lostWrites;

  Bias() {
    this(0);
  }

  Bias(double lostWrites) {
    this.lostWrites = lostWrites;
  }

  /** Whether faults come in scenes alone, each at its moment. */
  public boolean isStaged() {
    return this == CHANGES || this == FLOORS || this == TOMBSTONES || this == PAUSES;
  }

  static Bias of(long seed, Trouble trouble, boolean wipes, boolean jumps) {
    if (trouble != Trouble.ROUGH || jumps) {
      return NONE;
    }
    return switch (new SplittableRandom(seed * 31 + 7).nextInt(ONE_IN)) {
      case 0 -> MEMBERS;
      case 1 -> wipes ? DISKS : NONE;
      default -> scenes(seed, wipes);
    };
  }

  private static Bias scenes(long seed, boolean wipes) {
    return switch (new SplittableRandom(seed * 43 + 11).nextInt(SCENES_ONE_IN)) {
      case 0 -> CHANGES;
      case 1 -> wipes ? FLOORS : NONE;
      case 2 -> wipes ? TOMBSTONES : NONE;
      case 3 -> PAUSES;
      case 4 -> PLANS;
      case 5 -> UPGRADES;
      default -> NONE;
    };
  }
}
