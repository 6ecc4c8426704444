package dev.kvorum.simulation.mutants;

import dev.kvorum.rpc.WireDoor;
import dev.kvorum.topology.Phase;
import java.util.List;

/**
 * Rules that few or no simulated runs show, broken one by one. Mostly another rule stands behind
 * them. Each names the unit test that fails without it.
 */
enum UnitMutant {
  PULLING_MEMBERS_DO_NOT_COUNT(
      "repair.antientropy.PurgeableTombstonesTest",
      "aPeerCountsAgainAtItsFirstContact",
      Patch.skips("repair.antientropy.TombstonePurger", "contacted")),
  PULLED_MEMBERS_DO_NOT_COUNT(
      "repair.antientropy.TombstonePurgerTest",
      "aPulledMemberCountsFromItsFirstReplyOn",
      Patch.omits("repair.antientropy.RepairSession", "askStatus", "contacted")),
  REMOVES_TOMBSTONES_TOO_YOUNG(
      "repair.antientropy.PurgeableTombstonesTest",
      "thoseThatAreOldAtACutAtWhichAllMembersHaveThem",
      Patch.answers("repair.antientropy.TombstonePurger", "purgeableUpTo", "toMillis", 0L)),
  REMOVES_TOMBSTONES_BEFORE_IT_PULLED(
      "repair.antientropy.PurgeableTombstonesTest",
      "noneBeforeThisMemberHasPulledFromEachPeer",
      Patch.answers(
          "repair.antientropy.TombstonePurger", "purgeableUpTo", "pulled", Long.MAX_VALUE)),
  REMOVES_TOMBSTONES_THAT_OTHERS_LACK(
      "repair.antientropy.PurgeableTombstonesTest",
      "noneThatAPeerMayLack",
      Patch.answers("repair.antientropy.TombstonePurger", "purgeableUpTo", "upTo", Long.MAX_VALUE)),
  IGNORES_MEMBERS_LEFT_BEHIND(
      "repair.antientropy.TombstonePurgerTest",
      "aTombstoneThatCameLateAndWentWithoutAMemberIsNotForgottenToIt",
      Patch.returns("repair.antientropy.TombstonePurger", "hasPurgedWithout", false)),
  PURGES_BESIDE_A_NEW_STORE(
      "repair.PurgedRecordsTest",
      "aTombstoneStaysFromTheFirstWordOfAMemberWithANewStore",
      Patch.omits("repair.antientropy.RepairServer", "status", "ofStore")),
  HANDS_ON_BEFORE_ITS_PEERS_HAVE_REPLIED(
      "repair.PurgedRecordsTest",
      "aMemberThatWasAwayHandsNothingOnBeforeItsPeersHaveSaidWhatItMissed",
      Patch.answers("repair.Repair", "handsOn", "mayHandOn", true)),
  HANDS_ON_AFTER_IT_WAS_CUT_OFF(
      "repair.PurgedRecordsTest",
      "aMemberThatWasCutOffHandsNothingOnToOneThatLostItsDisk",
      Patch.returns("repair.Repair", "mustAskFirst", false)),
  IGNORES_REMOVALS(
      "storage.rocks.RetiredRecordsTest",
      "rejectsWhatIsOlderThanARemovalAndFindsNothing",
      Patch.returns("storage.engine.Purges", "mayHide", false)),
  SHOWS_OLD_VERSIONS(Versions.READS, Versions.BESIDE, Patch.skips(Versions.CACHE, "lock")),
  SHOWS_VERSIONS_EARLY(
      Versions.READS, Versions.BESIDE, Versions.calls("put", "change", "changeAtOnce")),
  SHOWS_REMOVED_VERSIONS(Versions.READS, Versions.BESIDE, Versions.omits("remove", "change")),
  SHOWS_FAILED_VERSIONS(
      Versions.READS, Versions.FAILED, Versions.calls("finish", "release", "releaseAnyway")),
  ADDS_OLD_VERSIONS(Versions.TEST, Versions.LATE, Versions.addsAnyway()),
  EMPTIED_SOURCES_COUNT_AS_FULL(
      "repair.rebuild.SlotRecoveryTest",
      "anEmptiedSourceDoesNotCountAsAFullOne",
      Patch.redirects(
          "repair.rebuild.SlotRecovery", "completed", "merge", BrokenRules.class, "mergeFull")),
  COPIES_FROM_ALL_PEERS_AT_ONCE(Streams.TEST, Streams.MAXIMUM, Streams.runsAll()),
  FORGETS_PAUSED_STREAMS(Streams.TEST, Streams.LAST, Streams.forgetsPaused()),
  FORGETS_RUNNING_STREAMS(Streams.TEST, Streams.STOPPED, Streams.forgetsRunning()),
  COPIES_WITH_ALL_SLOTS_BACK(Streams.STREAM, Streams.NOT_NEEDED, Streams.runsOn()),
  STORES_AFTER_A_STOP(Streams.STREAM, Streams.PAGE, Streams.ignoresStops()),
  SALVAGES_A_PAGE_AGAIN_AT_EACH_REJECTION(
      "repair.salvage.SalvageTest",
      "onlyRejectedRecordsAreStoredAgain",
      Patch.omits("background.RetryingWriter", "write", "set")),
  MAKES_NO_ROOM_FOR_SALVAGE(
      "repair.salvage.SalvageTest",
      "endsOnADiskWithoutRoomForASecondStore",
      Patch.answers("repair.salvage.SalvageRoom", "make", "isNearlyFull", false)),
  WAITS_FOR_ROOM_FOR_WHAT_IS_STORED(
      "repair.salvage.SalvageTest",
      "aNewProcessEndsItOnAFullDisk",
      Patch.answers("background.StreamReceiver", "salvageOnFullDisk", "isNewerThan", true)),
  DELETES_WHAT_IS_UNDECIDED(
      "repair.salvage.SalvageTest",
      "endsOnAFullDiskWithARecordThatMayBeTheLastCopy",
      Patch.answers("repair.salvage.Salvage", "withRoom", "isEmpty", true)),
  FORGETS_LOST_KEYS_OF_DELETED_TABLES(
      "storage.salvage.SalvageRoomTest",
      "aNewProcessContinuesWhereTablesAreGone",
      Patch.omits("storage.salvage.SalvageReader", "resume", "note")),
  FORGETS_DELETED_TABLES_AT_A_RESET(
      "storage.salvage.SalvageRoomTest",
      "theStoreIsOnlyReplacedOnceItsLossIsRecorded",
      Patch.omits("storage.replace.ReplaceableStore", "mayReplace", "losePartsStoredAgain")),
  DELETES_TABLES_WITHOUT_A_RECORD(
      "storage.salvage.SalvageRoomTest",
      "aNewProcessContinuesWhereTablesAreGone",
      Patch.skips("storage.salvage.SalvageReader", "keep")),
  FORGETS_THE_RESERVED_CLOCK(
      "storage.replace.ReplaceableStoreTest",
      "setsAStoreAsideWhoseDamageAReadFindsAndContinues",
      Patch.answers("storage.salvage.PreservedState", "of", "mark", 0L)),
  FORGETS_WHAT_WAS_REMOVED(
      "storage.replace.ReplaceableStoreTest",
      "setsAStoreAsideWhoseDamageAReadFindsAndContinues",
      Patch.answers("storage.salvage.PreservedState", "of", "purgedUpTo", 0L)),
  JOINS_WITH_OLD_RECORDS(
      "repair.rebuild.JoinStatusTest",
      "whatCameInAnEarlierChangeIsPutAside",
      Patch.returns("repair.rebuild.JoinStatus", "bringsOldRecords", false)),
  KEEPS_THE_CORRUPTED_STORE_OF_A_JOINER(
      "repair.rebuild.JoinStatusTest",
      "needsNothingOfAStoreThatWasSetAsideMeanwhile",
      Patch.omits("repair.Repair", "join", "skip")),
  COUNTS_A_COPY_FROM_AN_EMPTIED_SOURCE(
      "repair.rebuild.EmptiedSourcesTest",
      "aCopyFromAMemberThatRebuildsDoesNotCountAsAFullOne",
      Patch.answers("repair.rebuild.Rebuild", "onCopied", "isFromEmptied", false)),
  SENDS_BEFORE_IT_IS_COMPLETE(
      "rebalance.TransferServerTest",
      "aSourceThatIsNotCompleteSendsNothing",
      Patch.answers("rebalance.TransferServer", "handle", "handsOn", true),
      Patch.answers("rebalance.TransferServer", "gained", "handsOn", true)),
  SENDS_A_PAGE_OF_A_LOST_STORE(
      "rebalance.TransferServerTest",
      "aSourceThatLosesItsStoreDuringAScanDoesNotSendThePage",
      Patch.answers("rebalance.TransferServer", "gained", "handsOn", true)),
  COMPARES_DURING_A_CHANGE(
      "repair.PausedSessionsTest",
      "noSessionBeginsWhileTheMembersChange",
      Patch.answers("repair.antientropy.ReplicaRepair", "isQuiet", "phase", Phase.STABLE)),
  SERVES_SESSIONS_DURING_A_CHANGE(
      "repair.PausedSessionsTest",
      "aMemberThatHasSeenTheChangeServesNoSession",
      Patch.answers("repair.antientropy.RepairServer", "compare", "phase", Phase.STABLE)),
  FORGETS_A_REJECTION_OF_A_MEMBER_THAT_IS_AWAY(
      "rpc.FencingTest",
      "aProcessStaysFencedWhileAMemberThatRejectedItCannotBeReached",
      Patch.redirects("rpc.Peer", "notReached", "notReached", WireDoor.class, "admitUnreached")),
  STOPS_THE_CLOCK_WITHOUT_A_MAJORITY(
      "node.ClockReservationTest",
      "goesOnWhenTheMajorityIsUnknownAgain",
      Patch.skips("node.ClockReservation", "stopWaiting")),
  SUPERSEDES_WITHOUT_A_FLOOR(
      "repair.rebuild.WriteFloorTest",
      "acknowledgesNothingUntilAllHaveSpokenThatMayKnowMore",
      Patch.answers("repair.rebuild.VotingState", "onSuperseded", "has", true)),
  TAKES_A_FLOOR_FROM_THE_FUTURE(
      "repair.rebuild.WriteFloorTest",
      "aPeerWithAStampFromTheFutureSetsNoFloor",
      Patch.answers("repair.rebuild.WriteFloor", "on", "isTooFarAhead", false)),
  REPORTS_NO_STORED_STAMPS(
      "repair.rebuild.WriteFloorTest",
      "theFloorIsAboveWhatAPeerHasStoredThoughItsClockIsBehindThat",
      Patch.redirects(
          "repair.antientropy.RepairServer", "status", "max", BrokenRules.class, "firstStamp")),
  LOWERS_CUTS_BY_A_SLOW_CLOCK(
      "repair.WrongClockTest",
      "aPeerThatWasBehindMakesNobodyResetItsStore",
      Patch.returns("repair.state.RepairMarks", "pulledBefore", 0L)),
  LOWERS_MARKS_BY_A_SLOW_CLOCK(
      "repair.WrongClockTest",
      "aMarkThatOnlyASlowPeerTakesForTheFutureStays",
      Patch.returns("rpc.RemoteClockMonitor", "latestMillis", 0L)),
  EXPIRES_ANOTHER_VERSION(
      "storage.rocks.RetiredRecordsTest",
      "expiresARecordUnderItsVersionAndNumberOfCopies",
      Patch.answers("storage.engine.RecordBatch", "expire", "equals", true)),
  REMOVES_ANOTHER_VERSION(
      "storage.rocks.RetiredRecordsTest",
      "rejectsWhatIsOlderThanARemovalAndFindsNothing",
      Patch.answers("storage.engine.RecordBatch", "remove", "equals", true)),
  RESTORES_OVER_ANOTHER_VERSION(
      "storage.rocks.RetiredRecordsTest",
      "restoresARecordWhereItsTombstoneIsAndNowhereElse",
      Patch.answers("storage.engine.RecordBatch", "restore", "equals", true)),
  IS_READY_AMONG_OTHER_PROTOCOLS(
      "node.PeerReachTest",
      "knowsWhenTooManyPeersHaveOnlyOtherProtocols",
      Patch.returns("node.PeerReach", "isMajorityIncompatible", false)),
  BELIEVES_STRAY_PROCESSES(
      "rpc.TwoReleasesTest",
      "aStrayProcessDoesNotHideTheReleaseOfTheConnectedOne",
      Patch.answers("rpc.HandshakePolicy", "noteUnlessConnected", "isConnected", false)),
  SENDS_A_RECORD_TO_A_PEER_THAT_CANNOT_READ_IT(
      "rpc.TwoReleasesTest",
      "aRecordIsNotSentToAPeerThatCannotReadIt",
      Patch.returns("rpc.HandshakePolicy", "canRead", true)),
  BELIEVES_A_PEER_THAT_DEMANDS_A_FEATURE(
      "rpc.TwoReleasesTest",
      "aDemandHoldsUntilThePeerAcceptsThisNode",
      Patch.answers("rpc.HandshakePolicy", "enter", "isInbound", false)),
  SENDS_FIELDS_TO_PEERS_THAT_CANNOT_READ_THEM(
      "rpc.TwoReleasesTest",
      "eachIsAskedAsItsReleaseReads",
      Patch.answers("rpc.PeerConnection", "welcome", "protocol", 4)),
  BELIEVES_THE_NAME_IN_A_HANDSHAKE(
      "rpc.PeerTlsTest",
      "aMemberThatCallsItselfByAnotherNameFencesNobodyOut",
      Patch.answers("rpc.HandshakePolicy", "forgery", "isEmpty", true)),
  TALKS_TO_ANY_MEMBER(
      "rpc.PeerTlsTest",
      "aListenerWithTheCertificateOfAnotherMemberIsNotTalkedTo",
      Patch.answers("security.PeerCertificate", "objection", "contains", true)),
  KEEPS_COPIES_THOUGH_A_PART_IS_MISSING(
      "backup.restore.DestinationsTest",
      "aMajorityOfOwnersGetsWhatAMajorityHad",
      Patch.returns("backup.restore.Destinations", "areOthersThere", true)),
  KEEPS_COPIES_OF_SEVERAL_SOURCES(
      "backup.restore.DestinationsTest",
      "aMajorityOfOwnersGetsWhatAMajorityHad",
      Patch.returns("backup.restore.Destinations", "isOwn", true)),
  KEEPS_RECORDS_OF_OTHERS(
      "backup.restore.DestinationsTest",
      "aMajorityOfOwnersGetsWhatAMajorityHad",
      Patch.answers("backup.restore.Destinations", "of", "contains", true));

  @SuppressWarnings("ImmutableEnumChecker") // a record with a list that is never changed
  private final BrokenRule rule;

  UnitMutant(String test, String method, Patch... patches) {
    this.rule = new BrokenRule("dev.kvorum." + test, method, List.of(patches));
  }

  BrokenRule rule() {
    return rule;
  }
}
