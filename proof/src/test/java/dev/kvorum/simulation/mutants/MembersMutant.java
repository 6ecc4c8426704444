package dev.kvorum.simulation.mutants;

import dev.kvorum.placement.BrokenPlans;
import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Profile;
import dev.kvorum.topology.Phase;
import java.util.List;

/** Rules of ADR 0011 for changes of the members, broken one by one. */
enum MembersMutant implements Defect {
  WRITES_TO_THE_OLD_SET_ALONE(
      Patch.redirects("placement.Layout$Plans", "write", "of", BrokenPlans.class, "old")),
  WRITES_TO_THE_NEW_SET_ALONE(
      Patch.redirects("placement.Layout$Plans", "write", "of", BrokenPlans.class, "next")),
  COPIES_FROM_ONE_SOURCE(
      Patch.redirects("rebalance.Transfer", "<init>", "toList", BrokenRules.class, "first")),
  COPIES_BY_THE_OLD_ZONES(
      Patch.redirects("topology.Member", "after", "activeIn", BrokenRules.class, "inOldZone")),
  COPIES_FROM_WHAT_IS_LOST(Patch.returns("topology.Member", "isSource", true)),
  COUNTS_WHO_LEAVES(Patch.returns("topology.Member", "stays", true)),
  KEEPS_LEFTOVERS(Patch.answers("rebalance.Cleanup", "start", "epoch", 1L)),
  READS_THE_OLD_SET_ALONE(
      Bias.CHANGES, Patch.answers("placement.Layout$Plans", "read", "phase", Phase.STABLE)),
  COPIES_ONCE(
      Bias.CHANGES,
      Patch.redirects(
          "rebalance.Transfer", "<init>", "gainsAnything", BrokenRules.class, "gainsAtFirst")),
  SENDS_BEFORE_ITS_QUEUE_IS_WRITTEN(
      Bias.CHANGES,
      Patch.redirects(
          "rebalance.TransferServer", "handle", "keepMark", BrokenRules.class, "keepMark")),
  SENDS_AGAIN_FROM_THE_FIRST_ARRIVAL_ON(
      Bias.CHANGES,
      Patch.redirects("rebalance.OldestWrite", "note", "min", BrokenRules.class, "firstStamp")),
  /** Seldom seen where members change all the time: the next change clears what was taken. */
  TAKES_WHAT_OTHERS_KEEP(
      Patch.answers("background.StreamReceiver", "applyStreamed", "keeps", true),
      Patch.answers("repair.antientropy.MismatchRepair$Attempt", "on", "keeps", true)) {
    @Override
    public boolean canShowIn(Profile profile) {
      return profile.changes() && profile.bias() == Bias.NONE;
    }
  };

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  private final Bias bias;

  MembersMutant(Patch... patches) {
    this(Bias.MEMBERS, patches);
  }

  MembersMutant(Bias bias, Patch... patches) {
    this.bias = bias;
    this.patches = List.of(patches);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }

  @Override
  public boolean canShowIn(Profile profile) {
    return profile.bias() == bias;
  }
}
