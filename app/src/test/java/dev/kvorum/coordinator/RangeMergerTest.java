package dev.kvorum.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.coordinator.RangeMerger.Status;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RangeMergerTest {
  private static final SlotMap OF_THREE = slots(3);
  private static final SlotMap OF_FIVE = slots(5);
  private static final int ROUNDS = 1_000;

  private final long firstSeed = Seeds.seed();

  private static SlotMap slots(int members) {
    return SlotMap.of(
        IntStream.range(0, members)
            .mapToObj(i -> new Member(new MemberId("n" + i), "", MemberState.ACTIVE))
            .toList());
  }

  private static SlotMap anySlots(Random random) {
    return random.nextBoolean() ? OF_THREE : OF_FIVE;
  }

  private static KeyRange anyRange(Random random) {
    Optional<Key> start = Optional.of(Key.ofBytes(new byte[] {(byte) random.nextInt(4)}));
    Key end = Key.ofBytes(new byte[] {(byte) (random.nextInt(6) * 43)});
    return new KeyRange(
        random.nextBoolean() ? Optional.empty() : start,
        random.nextBoolean(),
        random.nextBoolean() ? Optional.empty() : Optional.of(end));
  }

  @Test
  void mergesWhatANaiveReaderOfAllStoresSees() {
    for (long seed = firstSeed; seed < firstSeed + ROUNDS; seed++) {
      Random random = new Random(seed);
      RangeModel model =
          new RangeModel(seed, anySlots(random), anyRange(random), Long.MAX_VALUE, true);
      List<Key> expected = model.all();
      model.read(0, 0);
      model.check();
      assertThat(model.merger.status()).as(model.name()).isEqualTo(Status.COMPLETE);
      assertThat(model.emitted.stream().map(Mutation::key))
          .as(model.name())
          .containsExactlyElementsOf(expected);
    }
  }

  @Test
  void missesNoAcknowledgedRecordWhateverIsLostOrWrittenMeanwhile() {
    int complete = 0;
    int incomplete = 0;
    for (long seed = firstSeed; seed < firstSeed + ROUNDS; seed++) {
      Random random = new Random(seed);
      RangeModel model =
          new RangeModel(seed, anySlots(random), anyRange(random), Long.MAX_VALUE, false);
      model.read(random.nextInt(20), random.nextInt(200));
      model.check();
      boolean isComplete = model.merger.status() == Status.COMPLETE;
      assertThat(isComplete).as(model.name()).isEqualTo(model.areEnoughLeft());
      complete += isComplete && !model.lost.isEmpty() ? 1 : 0;
      incomplete += isComplete ? 0 : 1;
    }
    assertThat(complete).as("complete with losses, from seed %d", firstSeed).isPositive();
    assertThat(incomplete).as("incomplete, from seed %d", firstSeed).isPositive();
  }

  @Test
  void endsAtItsLimitWithTheFirstRecords() {
    for (long seed = firstSeed; seed < firstSeed + ROUNDS; seed++) {
      Random random = new Random(seed);
      long limit = random.nextInt(1, 10);
      RangeModel model = new RangeModel(seed, anySlots(random), KeyRange.ALL, limit, true);
      List<Key> all = model.all();
      model.read(0, 0);
      assertThat(model.emitted.stream().map(Mutation::key))
          .as(model.name())
          .containsExactlyElementsOf(all.subList(0, (int) Math.min(limit, all.size())));
      assertThat(model.merger.status()).isEqualTo(Status.COMPLETE);
    }
  }

  private static Mutation record(String key, long stamp, int from) {
    return new Mutation(
        Key.of(key), Versioned.live(new Version(stamp, 1), Versioned.NEVER, from, new byte[1]));
  }

  private static RangeMerger merger(SlotMap slots) {
    RangeVotes votes = RangeVotes.ofAll(List.of(slots), 3, new MemberId("n0"));
    return new RangeMerger(votes, KeyRange.ALL, KeyOrder.ASCENDING, Long.MAX_VALUE);
  }

  @Test
  void aLostMemberStillCountsForTheKeysThatItHasShown() {
    RangeMerger merger = merger(OF_THREE);
    merger.onPage(0, List.of(record("a", 9, 3), record("b", 1, 3)), Optional.of(Key.of("b")));
    merger.onLost(0, RejectReason.UNREACHABLE);
    merger.onLost(1, RejectReason.UNREACHABLE);
    merger.onPage(2, List.of(record("a", 1, 3), record("c", 1, 3)), Optional.empty());
    assertThat(merger.take(0, 100, 100)).containsExactly(record("a", 9, 3), record("b", 1, 3));
    assertThat(merger.status()).as("one of three").isEqualTo(Status.INCOMPLETE);

    RangeMerger two = merger(OF_THREE);
    two.onPage(0, List.of(record("a", 9, 3), record("b", 1, 3)), Optional.of(Key.of("b")));
    two.onPage(1, List.of(record("b", 2, 3)), Optional.of(Key.of("b")));
    two.onLost(0, RejectReason.UNREACHABLE);
    two.onPage(2, List.of(record("a", 1, 3), record("c", 1, 3)), Optional.empty());
    assertThat(two.take(0, 100, 100)).containsExactly(record("a", 9, 3), record("b", 2, 3));
    assertThat(two.status()).isEqualTo(Status.OPEN);
    two.onLost(1, RejectReason.TIMED_OUT);
    assertThat(two.take(0, 100, 100)).isEmpty();
    assertThat(two.status()).isEqualTo(Status.INCOMPLETE);
    assertThat(two.replies())
        .extracting(ReplicaOutcome::label)
        .containsExactly("unreachable", "timed-out", "replied");
  }

  @Test
  void aRecordThatIsMetNeedsAMajorityOfItsOwnReplicas() {
    assertThat(statusWithoutTheFirstReplica(3)).isEqualTo(Status.COMPLETE);
    assertThat(statusWithoutTheFirstReplica(5)).isEqualTo(Status.COMPLETE);
    assertThat(statusWithoutTheFirstReplica(2)).isEqualTo(Status.INCOMPLETE);
  }

  private static Status statusWithoutTheFirstReplica(int from) {
    List<MemberId> replicas = OF_FIVE.preferenceList(Key.of("k")).replicas(5);
    RangeMerger merger = merger(OF_FIVE);
    for (int i = 0; i < 5; i++) {
      int rank = replicas.indexOf(merger.sources().get(i).member());
      if (rank == 0) {
        merger.onLost(i, RejectReason.UNREACHABLE);
      } else {
        merger.onPage(i, rank == 1 ? List.of(record("k", 1, from)) : List.of(), Optional.empty());
      }
    }
    List<Mutation> taken = merger.take(0, 10, 10);
    assertThat(taken.isEmpty()).isEqualTo(merger.status() == Status.INCOMPLETE);
    merger.take(0, 10, 10);
    return merger.status();
  }

  @Test
  void ignoresCopiesThatTheirReplicasDoNotHold() {
    Key key = Key.of("k");
    List<MemberId> replicas = OF_FIVE.preferenceList(key).replicas(5);
    RangeMerger merger = merger(OF_FIVE);
    for (int i = 0; i < 5; i++) {
      boolean leftover = merger.sources().get(i).member().equals(replicas.get(4));
      merger.onPage(i, leftover ? List.of(record("k", 1, 3)) : List.of(), Optional.empty());
    }
    assertThat(merger.take(0, 10, 10)).isEmpty();
    assertThat(merger.status()).isEqualTo(Status.COMPLETE);
  }

  @Test
  void ofOneVersionATombstoneStandsForAnExpiredRecord() {
    RangeMerger merger = merger(OF_THREE);
    Mutation tombstone = new Mutation(Key.of("a"), Versioned.tombstone(new Version(1, 1), 3));
    merger.onPage(0, List.of(tombstone), Optional.empty());
    merger.onPage(1, List.of(record("a", 1, 3), record("b", 1, 3)), Optional.empty());
    merger.onPage(2, List.of(), Optional.empty());
    assertThat(merger.take(0, 10, 10)).containsExactly(record("b", 1, 3));
  }

  @Test
  void aPageThatIsNotWhatWasAskedForLosesItsMember() {
    List<List<Mutation>> wrong =
        List.of(
            List.of(record("b", 1, 3), record("a", 1, 3)),
            List.of(record("a", 1, 3), record("a", 1, 3)));
    for (List<Mutation> page : wrong) {
      RangeMerger merger = merger(OF_THREE);
      merger.onPage(0, page, Optional.empty());
      assertThat(merger.replies().getFirst().label()).isEqualTo("storage-failed");
    }
    RangeMerger stuck = merger(OF_THREE);
    stuck.onPage(0, List.of(record("b", 1, 3)), Optional.of(Key.of("a")));
    assertThat(stuck.replies().getFirst().label()).isEqualTo("storage-failed");
  }
}
