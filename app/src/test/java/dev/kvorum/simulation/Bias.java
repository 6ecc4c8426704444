package dev.kvorum.simulation;

import dev.kvorum.simulation.Profile.Trouble;
import java.util.SplittableRandom;

/** What comes so often in a run that rules show which rarely matter; most runs have none. */
enum Bias {
  NONE(0),
  /** Members change all the time, and writes reach some of their replicas only. */
  MEMBERS(0.45),
  /** Disks are lost, and back at once, where one replica of three is behind and one away. */
  DISKS(0.3);

  private static final int ONE_IN = 12;

  /** Share of the frames with writes that are lost beside what befalls all frames. */
  final double lostWrites;

  Bias(double lostWrites) {
    this.lostWrites = lostWrites;
  }

  static Bias of(long seed, Trouble trouble, boolean wipes, boolean jumps) {
    if (trouble != Trouble.ROUGH || jumps) {
      return NONE;
    }
    return switch (new SplittableRandom(seed * 31 + 7).nextInt(ONE_IN)) {
      case 0 -> MEMBERS;
      case 1 -> wipes ? DISKS : NONE;
      default -> NONE;
    };
  }
}
