package dev.kvorum.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.coordinator.WriteTracker.Status;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.WriteResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WriteTrackerTest {
  private static final WriteResult SUPERSEDED = new WriteResult.Superseded(new Version(7, 1));
  private static final WriteResult REJECTED = new WriteResult.Rejected(RejectReason.UNREACHABLE);

  @Test
  void agreesWithANaiveCountWhateverIsAnsweredInWhateverOrder() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    for (int from = 1; from <= 7; from++) {
      for (int ack = 1; ack <= from; ack++) {
        for (int round = 0; round < 100; round++) {
          boolean lastAttempt = round % 2 == 1;
          compareWithNaiveCount(Plans.one(from), ack, lastAttempt, random, seed);
          compareWithNaiveCount(Plans.two(from, random), ack, lastAttempt, random, seed);
        }
      }
    }
  }

  private static void compareWithNaiveCount(
      ReplicaPlan plan, int ack, boolean lastAttempt, Random random, long seed) {
    WriteTracker tracker = new WriteTracker(plan, ack, lastAttempt);
    Map<Integer, WriteResult> answers = new HashMap<>();
    for (int replica : shuffled(plan.size(), random)) {
      WriteResult answer = randomAnswer(random);
      answers.put(replica, answer);
      tracker.on(replica, answer);
      tracker.on(replica, randomAnswer(random));
      assertThat(tracker.status())
          .as(
              "seed %d, %s of %s, answers %s, last attempt %s",
              seed, ack, plan, answers, lastAttempt)
          .isEqualTo(naiveStatus(plan, ack, lastAttempt, answers));
      assertThat(tracker.newestSeen()).as("seed %d", seed).isEqualTo(naiveNewest(answers));
      for (int i = 0; i < plan.size(); i++) {
        assertThat(tracker.isOpen(i)).as("seed %d", seed).isEqualTo(!answers.containsKey(i));
        assertThat(tracker.isRejected(i))
            .as("seed %d", seed)
            .isEqualTo(answers.get(i) instanceof WriteResult.Rejected);
      }
    }
    assertThat(tracker.status()).as("seed %d", seed).isNotEqualTo(Status.PENDING);
  }

  private static Status naiveStatus(
      ReplicaPlan plan, int ack, boolean lastAttempt, Map<Integer, WriteResult> answers) {
    List<Status> all =
        plan.sets().stream().map(set -> naiveStatus(set, ack, lastAttempt, answers)).toList();
    return Stream.of(Status.FAILED, Status.PENDING, Status.SUPERSEDED)
        .filter(all::contains)
        .findFirst()
        .orElse(Status.ACKNOWLEDGED);
  }

  private static Status naiveStatus(
      List<Integer> set, int ack, boolean lastAttempt, Map<Integer, WriteResult> answers) {
    List<WriteResult> of = set.stream().map(answers::get).filter(Objects::nonNull).toList();
    long stored = of.stream().filter(a -> a instanceof WriteResult.Stored).count();
    long superseded = of.stream().filter(a -> a instanceof WriteResult.Superseded).count();
    int open = set.size() - of.size();
    if (stored >= ack || (lastAttempt && stored + superseded >= ack)) {
      return Status.ACKNOWLEDGED;
    }
    if (stored + superseded >= ack) {
      return Status.SUPERSEDED;
    }
    return stored + superseded + open < ack ? Status.FAILED : Status.PENDING;
  }

  private static Version naiveNewest(Map<Integer, WriteResult> answers) {
    return answers.values().stream()
        .filter(answer -> answer instanceof WriteResult.Superseded)
        .map(answer -> ((WriteResult.Superseded) answer).by())
        .max(Version::compareTo)
        .orElse(Version.NONE);
  }

  static List<Integer> shuffled(int count, Random random) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(i);
    }
    Collections.shuffle(numbers, random);
    return numbers;
  }

  private static WriteResult randomAnswer(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> WriteResult.Stored.STORED;
      case 1 -> new WriteResult.Superseded(new Version(random.nextInt(1, 5), random.nextInt()));
      default -> REJECTED;
    };
  }

  @Test
  void acknowledgesAtTheAckthStoredAnswerAndNotBefore() {
    WriteTracker tracker = new WriteTracker(Plans.one(5), 3, false);
    tracker.on(4, WriteResult.Stored.STORED);
    tracker.on(2, WriteResult.Stored.STORED);
    assertThat(tracker.status()).isEqualTo(Status.PENDING);
    tracker.on(0, WriteResult.Stored.STORED);
    assertThat(tracker.status()).isEqualTo(Status.ACKNOWLEDGED);
  }

  @Test
  void aRepeatedAnswerCountsOnce() {
    WriteTracker tracker = new WriteTracker(Plans.one(3), 2, false);
    tracker.on(1, WriteResult.Stored.STORED);
    tracker.on(1, WriteResult.Stored.STORED);
    assertThat(tracker.status()).isEqualTo(Status.PENDING);
  }

  @Test
  void failsAsSoonAsTooFewAreLeft() {
    WriteTracker tracker = new WriteTracker(Plans.one(3), 2, false);
    tracker.on(0, REJECTED);
    assertThat(tracker.status()).isEqualTo(Status.PENDING);
    tracker.on(1, REJECTED);
    assertThat(tracker.status()).isEqualTo(Status.FAILED);
  }

  @Test
  void aSupersededFirstAttemptIsTriedAgainAndALastOneCounts() {
    WriteTracker first = new WriteTracker(Plans.one(3), 2, false);
    WriteTracker last = new WriteTracker(Plans.one(3), 2, true);
    for (WriteTracker tracker : List.of(first, last)) {
      tracker.on(0, WriteResult.Stored.STORED);
      tracker.on(1, SUPERSEDED);
    }
    assertThat(first.status()).isEqualTo(Status.SUPERSEDED);
    assertThat(last.status()).isEqualTo(Status.ACKNOWLEDGED);
  }

  @Test
  void reportsTheReplyOfEachReplicaInAWord() {
    WriteTracker tracker = new WriteTracker(Plans.one(4), 4, false);
    tracker.on(0, WriteResult.Stored.STORED);
    tracker.on(1, SUPERSEDED);
    tracker.on(2, REJECTED);
    assertThat(List.of(tracker.label(0), tracker.label(1), tracker.label(2), tracker.label(3)))
        .containsExactly("stored", "superseded", "unreachable", "pending");
  }
}
