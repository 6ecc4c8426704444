package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.operators.PlannedOperator;
import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Profile;
import java.util.List;

/** Rules by which the operator chooses its next step, broken one by one. */
enum PlannerMutant implements Defect {
  TWO_LEAVE(
      Patch.redirects(
          "operator.plan.ScalePlanner", "begin", "leaving", BrokenSteps.class, "twoLeave")),
  LOWERS_WHILE_MEMBERS_ARE_LISTED(
      Patch.answers("operator.plan.StatefulSetPlanner", "neededReplicas", "listedBound", 0)),
  RESTARTS_BEFORE_THE_LAST_IS_HEALTHY(
      Patch.redirects(
          "operator.plan.RolloutPlanner", "next", "ofMembers", BrokenSteps.class, "none")),
  RESTARTS_ALL_AT_ONCE(
      Patch.redirects("operator.plan.RolloutPlanner", "next", "first", BrokenSteps.class, "none")),
  MOVES_WITHOUT_A_TRANSFER(
      Patch.redirects(
          "operator.plan.ZonePlanner", "begin", "moving", BrokenSteps.class, "movesAtOnce")),
  CONTINUES_BEFORE_ALL_HAVE_COPIED(Bias.PLANS, scale("proceed", "uncopied", "neither")),
  CONTINUES_AT_ONCE(Bias.PLANS, scale("proceed", "first", "none")),
  LEAVES_WITHOUT_A_TRANSFER(Bias.PLANS, scale("begin", "leaving", "leavesAtOnce")),
  REMOVES_WITHOUT_A_TRANSFER(
      Bias.PLANS,
      Patch.redirects(
          "operator.plan.RemovalPlanner", "next", "removing", BrokenSteps.class, "leavesAtOnce")),
  ACTIVATES_WHAT_A_MEMBER_LACKS(
      Bias.UPGRADES, Patch.omits("operator.plan.FeaturePlanner", "ofAll", "forEach"));

  private final Bias bias;

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  PlannerMutant(Patch... patches) {
    this(Bias.NONE, patches);
  }

  PlannerMutant(Bias bias, Patch... patches) {
    this.bias = bias;
    this.patches = List.of(patches);
  }

  private static Patch scale(String method, String called, String name) {
    return Patch.redirects("operator.plan.ScalePlanner", method, called, BrokenSteps.class, name);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }

  @Override
  public boolean canShowIn(Profile profile) {
    return PlannedOperator.isIn(profile) && profile.bias() == bias;
  }
}
