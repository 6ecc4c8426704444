package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Profile;
import java.util.List;
import java.util.function.Predicate;

/**
 * Rules of ADR 0009 for a member that lost its disk, or whose store is corrupted, broken one by
 * one.
 */
enum RebuildMutant implements Defect {
  TAKES_AN_EMPTY_DISK_FOR_COMPLETE(
      profile -> profile.wipes() && profile.members() == 3,
      Patch.returns("repair.rebuild.VotingState", "has", true)),
  ONE_FULL_COPY_IS_ENOUGH(
      RebuildMutant::losesDisks, Patch.returns("repair.rebuild.SlotRecovery$Sources", "needed", 1)),
  EMPTIED_SOURCES_COUNT_AS_FULL(
      RebuildMutant::emptiesTwo,
      Patch.answers("repair.rebuild.Rebuild", "onCopied", "isFromEmptied", false)),
  ACKNOWLEDGES_WITHOUT_A_FLOOR(
      RebuildMutant::asksBelowFloors,
      Patch.answers("repair.rebuild.VotingState", "onStored", "has", true)),
  ACKNOWLEDGES_BELOW_ITS_FLOOR(
      RebuildMutant::asksBelowFloors,
      Patch.answers("repair.rebuild.VotingState", "byFloor", "isNewerThan", true)),
  SALVAGES_WHAT_PEERS_HAVE_DELETED(
      Profile::corrupts, Patch.answers("repair.salvage.Salvage", "store", "isNewest", true)),
  STORES_HAVE_ONE_LIFE(Profile::wipes, Patch.returns("repair.state.RepairMarks", "newLife", 7L)),
  TAKES_LOST_DISKS_FOR_A_NEW_CLUSTER(
      profile -> profile.wipes() && profile.members() == 3,
      Patch.returns("repair.rebuild.LostDisks", "isClusterFounded", false));

  @SuppressWarnings("ImmutableEnumChecker") // without state
  private final Predicate<Profile> shows;

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  RebuildMutant(Predicate<Profile> shows, Patch... patches) {
    this.shows = shows;
    this.patches = List.of(patches);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }

  @Override
  public boolean canShowIn(Profile profile) {
    return shows.test(profile);
  }

  private static boolean asksBelowFloors(Profile profile) {
    return profile.bias() == Bias.FLOORS;
  }

  private static boolean emptiesTwo(Profile profile) {
    return asksBelowFloors(profile) && profile.members() == 5;
  }

  private static boolean losesDisks(Profile profile) {
    return profile.bias() == Bias.DISKS;
  }
}
