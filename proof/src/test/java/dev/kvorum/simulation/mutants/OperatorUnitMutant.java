package dev.kvorum.simulation.mutants;

import java.util.List;

/** As {@link UnitMutant}, rules of the operator's planning. */
enum OperatorUnitMutant {
  CONTINUES_BEFORE_ALL_HAVE_THE_EPOCH(
      "operator.plan.ScalePlannerTest",
      "eachNextEpochWaitsForEveryMember",
      plan("ScalePlanner", "proceed", "unseen", "neither")),
  COMPLETES_A_CANCELLED_CHANGE(
      "operator.plan.ScalePlannerTest",
      "aJoinIsCancelledWhenItIsNotWantedAnyMore",
      plan("ScalePlanner", "proceed", "cancel", "completes")),
  BEGINS_WHILE_A_MEMBER_IS_UNHEALTHY(
      "operator.plan.ScalePlannerTest",
      "noChangeBeginsWhileAMemberIsDownOrRebuilding",
      plan("ScalePlanner", "mayBegin", "ofMembers", "none")),
  BEGINS_WHILE_A_MEMBER_REBUILDS(
      "operator.plan.ScalePlannerTest",
      "noChangeBeginsWhileAMemberIsDownOrRebuilding",
      Patch.answers("operator.plan.Health", "of", "rebuilding", false)),
  BEGINS_BEFORE_ALL_HAVE_CLEANED_UP(
      "operator.plan.ScalePlannerTest",
      "theNextChangeWaitsUntilAllIsCleared",
      plan("Health", "unsettled", "notCleanedUp", "none")),
  LEAVES_WHILE_HINTS_WAIT(
      "operator.plan.ScalePlannerTest",
      "aMemberLeavesOnlyWhenNoHintsWaitAndAllAreConnected",
      plan("ScalePlanner", "begin", "waitForPeers", "neither")),
  LOWERS_BEFORE_ALL_HAVE_THE_EPOCH(
      "operator.plan.ScalePlannerTest",
      "podsStayUntilEveryMemberHasSeenTheStableTopology",
      plan("ScalePlanner", "scaleDownStatefulSet", "unseen", "neither")),
  RESTORES_A_TOPOLOGY_BEFORE_ALL_COPIES_ARE_KNOWN(
      "operator.plan.BootstrapPlannerTest",
      "aLostTopologyIsRestoredOnceAllNodesHaveReportedTheirCopies",
      plan("TopologyRestore", "next", "waits", "neverListed")),
  RESTORES_ANOTHER_THAN_THE_NEWEST_TOPOLOGY(
      "operator.plan.BootstrapPlannerTest",
      "aLostTopologyIsRestoredOnceAllNodesHaveReportedTheirCopies",
      plan("TopologyRestore", "newest", "max", "anyCopy")),
  REMOVES_BESIDE_AN_UNHEALTHY_MEMBER(
      "operator.plan.RemovalPlannerTest",
      "theOthersMustBeHealthyCompleteAndAbleToDoIt",
      plan("RemovalPlanner", "next", "obstacle", "none")),
  REMOVES_A_MEMBER_THAT_RUNS(
      "operator.plan.RemovalPlannerTest",
      "aMemberThatIsNotLostIsNotRemoved",
      plan("RemovalPlanner", "next", "impossible", "neither")),
  LEAVES_TOO_FEW_MEMBERS(
      "operator.plan.RemovalPlannerTest",
      "aMemberWithoutWhichThereWouldBeTooFewIsNotRemoved",
      Patch.answers("operator.plan.RemovalPlanner", "impossible", "size", 99)),
  ADDS_A_MEMBER_THAT_DOES_NOT_RESPOND(
      "operator.plan.RemovalPlannerTest",
      "aLostMemberIsRemovedAndJoinsAgainOnceItsNodeResponds",
      Patch.answers("operator.plan.ScalePlanner", "join", "canJoin", true)),
  CLOSES_THE_GATE_OF_A_POD_THAT_RESTARTS(
      "operator.plan.ReachabilityPlannerTest",
      "aContainerThatIsBeingRestartedNeedsNoGate",
      Patch.answers("operator.plan.ReachabilityPlanner", "wanted", "containersReady", true)),
  RESTARTS_WHILE_HINTS_WAIT(
      "operator.plan.RolloutPlannerTest",
      "anUpdateRestartsTheHighestFirstAndWaitsForItsHintsAndItsPeers",
      plan("RolloutPlanner", "next", "unconverged", "none")),
  RESTARTS_A_POD_THAT_IS_DOWN_BESIDE_ANOTHER(
      "operator.plan.RolloutPlannerTest",
      "aPodThatIsDownIsNotRestartedWhileTheLastOneIsBeingRestarted",
      plan("RolloutPlanner", "repair", "updatedNotStarted", "none")),
  RESTARTS_A_POD_THAT_IS_UNREADY_BESIDE_ANOTHER(
      "operator.plan.RolloutPlannerTest",
      "aPodThatIsNotReadyIsNotRestartedWhileTheLastOneRebuilds",
      plan("RolloutPlanner", "repair", "updatedUnhealthy", "none")),
  ROLLS_OUT_A_RELEASE_THAT_IS_TOO_FAR(
      "operator.plan.ImagePlannerTest",
      "anImageTwoReleasesAheadIsRejectedAndTheOneInBetweenIsNot",
      Patch.returns("operator.plan.ImagePlanner", "admits", true)),
  TAKES_A_POD_WHILE_AN_IMAGE_IS_ASKED(
      "operator.plan.ImagePlannerTest",
      "noFurtherMemberIsTakenWhileAnotherImageIsAsked",
      Patch.answers("operator.plan.RolloutPlanner", "next", "isAsking", false)),
  ROLLS_BACK_TO_WHAT_NO_MEMBER_RUNS_WITH(
      "operator.plan.RollbackPlannerTest",
      "itIsNotRolledBackWhereNoMemberShowsThatTheFormerTemplateWorks",
      Patch.returns("operator.plan.RollbackPlanner", "proves", true)),
  ROLLS_BACK_WHAT_SECURES_CONNECTIONS(
      "operator.plan.RollbackPlannerTest",
      "anUpdateOfWhatSecuresConnectionsIsNotRolledBack",
      Patch.answers("operator.plan.RollbackPlanner", "obstacle", "securityDiffers", false)),
  TRIES_A_FAILED_UPDATE_AGAIN(
      "operator.plan.RollbackPlannerTest",
      "itIsTriedAgainOnlyAfterAnotherSpec",
      Patch.returns("operator.plan.RollbackPlanner", "isRolledBack", false));

  @SuppressWarnings("ImmutableEnumChecker") // a record with a list that is never changed
  private final BrokenRule rule;

  OperatorUnitMutant(String test, String method, Patch... patches) {
    this.rule = new BrokenRule("dev.kvorum." + test, method, List.of(patches));
  }

  BrokenRule rule() {
    return rule;
  }

  private static Patch plan(String planner, String method, String called, String name) {
    return Patch.redirects("operator.plan." + planner, method, called, BrokenSteps.class, name);
  }
}
