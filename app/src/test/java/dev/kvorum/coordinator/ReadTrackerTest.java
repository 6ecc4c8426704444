package dev.kvorum.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.coordinator.ReadTracker.Status;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.ReadResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadTrackerTest {
  private static final ReadResult UNKNOWN = new ReadResult.Unknown(RejectReason.STORAGE_FAILED);

  @Test
  void agreesWithANaiveCountWhateverIsAnsweredInWhateverOrder() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    for (int from = 1; from <= 7; from++) {
      for (int ack = 1; ack <= from; ack++) {
        for (int round = 0; round < 100; round++) {
          compareWithNaiveCount(Plans.one(from), ack, random, seed);
          compareWithNaiveCount(Plans.two(from, random), ack, random, seed);
        }
      }
    }
  }

  private static void compareWithNaiveCount(ReplicaPlan plan, int ack, Random random, long seed) {
    ReadTracker tracker = new ReadTracker(plan, ack);
    Map<Integer, ReadResult> answers = new HashMap<>();
    List<Versioned> records = new ArrayList<>();
    for (int i = 0; i < plan.size(); i++) {
      tracker.askNext();
    }
    List<Integer> order = WriteTrackerTest.shuffled(plan.size(), random);
    // Some answer twice: first the version, then the record or a failure.
    order.addAll(WriteTrackerTest.shuffled(random.nextInt(plan.size() + 1), random));
    for (int replica : order) {
      ReadResult answer = randomAnswer(random);
      answers.put(replica, answer);
      if (answer instanceof ReadResult.Found found) {
        records.add(found.record());
      }
      tracker.on(replica, answer);
      String state = "seed " + seed + ", " + ack + " of " + plan + ", answers " + answers;
      assertThat(tracker.status()).as(state).isEqualTo(naive(plan, ack, answers, records));
      assertThat(version(tracker.newest())).as(state).isEqualTo(newest(records));
      if (tracker.status() == Status.COMPLETE) {
        compareComplete(tracker, plan.size(), answers, newest(records), state);
      }
    }
    assertThat(tracker.status()).as("seed %d", seed).isNotEqualTo(Status.PENDING);
  }

  private static void compareComplete(
      ReadTracker tracker,
      int replicas,
      Map<Integer, ReadResult> answers,
      Version newest,
      String state) {
    List<Integer> stale = new ArrayList<>();
    int holders = 0;
    for (int replica = 0; replica < replicas; replica++) {
      ReadResult answer = answers.getOrDefault(replica, UNKNOWN);
      boolean behind = newest.isNewerThan(versionOf(answer));
      if (!(answer instanceof ReadResult.Unknown)) {
        holders += !behind && !newest.equals(Version.NONE) ? 1 : 0;
        if (behind) {
          stale.add(replica);
        }
      }
    }
    assertThat(tracker.stale()).as(state).isEqualTo(stale);
    assertThat(tracker.holders()).as(state).hasSize(holders);
  }

  private static Status naive(
      ReplicaPlan plan, int ack, Map<Integer, ReadResult> answers, List<Versioned> records) {
    boolean pending = false;
    for (List<Integer> set : plan.sets()) {
      List<ReadResult> of = set.stream().map(answers::get).filter(Objects::nonNull).toList();
      int good = (int) of.stream().filter(a -> !(a instanceof ReadResult.Unknown)).count();
      if (good + set.size() - of.size() < ack) {
        return Status.FAILED;
      }
      pending |= good < ack;
    }
    if (pending) {
      return Status.PENDING;
    }
    boolean newerKnown =
        answers.values().stream().anyMatch(a -> versionOf(a).isNewerThan(newest(records)));
    return newerKnown ? Status.RECORD_MISSING : Status.COMPLETE;
  }

  private static Version newest(List<Versioned> records) {
    return records.stream().map(Versioned::version).max(Version::compareTo).orElse(Version.NONE);
  }

  private static Version version(@org.jspecify.annotations.Nullable Versioned record) {
    return record == null ? Version.NONE : record.version();
  }

  private static Version versionOf(ReadResult answer) {
    return switch (answer) {
      case ReadResult.Found found -> found.record().version();
      case ReadResult.FoundVersion found -> found.version();
      case ReadResult.Absent a -> Version.NONE;
      case ReadResult.Unknown u -> Version.NONE;
    };
  }

  private static ReadResult randomAnswer(Random random) {
    Version version = new Version(random.nextInt(1, 5), 0);
    return switch (random.nextInt(4)) {
      case 0 -> new ReadResult.Found(Versioned.tombstone(version, 1));
      case 1 -> new ReadResult.FoundVersion(version);
      case 2 -> ReadResult.Absent.ABSENT;
      default -> UNKNOWN;
    };
  }

  @Test
  void asksEachReplicaOnceInOrder() {
    ReadTracker tracker = new ReadTracker(Plans.one(3), 2);
    assertThat(List.of(tracker.askMissing(), tracker.askMissing(), tracker.askMissing()))
        .containsExactly(0, 1, -1);
    tracker.on(0, UNKNOWN);
    assertThat(List.of(tracker.askMissing(), tracker.askNext())).containsExactly(2, -1);
  }

  @Test
  void whileMembersChangeBothSetsAreAsked() {
    ReplicaPlan plan = Plans.two(3, new Random(1));
    ReadTracker tracker = new ReadTracker(plan, 2);
    Set<Integer> asked = new HashSet<>();
    for (int next = tracker.askMissing(); next >= 0; next = tracker.askMissing()) {
      asked.add(next);
    }
    assertThat(plan.sets())
        .allSatisfy(set -> assertThat(asked.stream().filter(set::contains)).hasSizeBetween(2, 3));
    assertThat(asked).hasSizeLessThan(4);
  }

  @Test
  void aReplicaThatFailsAfterItsVersionIsNoLongerCounted() {
    ReadTracker tracker = new ReadTracker(Plans.one(3), 2);
    Versioned old = Versioned.tombstone(new Version(1, 0), 3);
    tracker.askNext();
    tracker.askNext();
    tracker.on(0, new ReadResult.Found(old));
    tracker.on(1, new ReadResult.FoundVersion(new Version(2, 0)));
    assertThat(tracker.status()).isEqualTo(Status.RECORD_MISSING);
    assertThat(tracker.holder()).isEqualTo(1);
    tracker.on(1, UNKNOWN);
    assertThat(tracker.status()).isEqualTo(Status.PENDING);
    assertThat(tracker.askMissing()).isEqualTo(2);
    tracker.on(2, ReadResult.Absent.ABSENT);
    assertThat(tracker.status()).isEqualTo(Status.COMPLETE);
    assertThat(Objects.requireNonNull(tracker.newest())).isEqualTo(old);
    assertThat(tracker.stale()).containsExactly(2);
  }

  @Test
  void reportsTheReplyOfEachReplicaInAWord() {
    ReadTracker tracker = new ReadTracker(Plans.one(5), 5);
    for (int i = 0; i < 4; i++) {
      tracker.askNext();
    }
    tracker.on(0, new ReadResult.FoundVersion(new Version(2, 0)));
    tracker.on(1, ReadResult.Absent.ABSENT);
    tracker.on(2, UNKNOWN);
    assertThat(
            List.of(
                tracker.label(0),
                tracker.label(1),
                tracker.label(2),
                tracker.label(3),
                tracker.label(4)))
        .containsExactly("found", "absent", "storage-failed", "pending", "not-asked");
  }
}
