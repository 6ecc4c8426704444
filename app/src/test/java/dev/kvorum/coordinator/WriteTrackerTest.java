package dev.kvorum.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.coordinator.WriteTracker.Standing;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.storage.Applied;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WriteTrackerTest {
  private static final Applied SUPERSEDED = new Applied.Superseded(new Version(7, 1));
  private static final Applied REFUSED = new Applied.Refused(Refusal.UNREACHABLE);

  @Test
  void agreesWithANaiveCountWhateverIsAnsweredInWhateverOrder() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int from = 1; from <= 7; from++) {
      for (int ack = 1; ack <= from; ack++) {
        for (int round = 0; round < 100; round++) {
          compareWithNaiveCount(new Quorum(ack, from), round % 2 == 1, random, seed);
        }
      }
    }
  }

  private static void compareWithNaiveCount(
      Quorum quorum, boolean lastAttempt, Random random, long seed) {
    WriteTracker tracker = new WriteTracker(quorum, lastAttempt);
    Map<Integer, Applied> answers = new HashMap<>();
    for (int replica : shuffled(quorum.from(), random)) {
      Applied answer = randomAnswer(random);
      answers.put(replica, answer);
      tracker.on(replica, answer);
      tracker.on(replica, randomAnswer(random));
      assertThat(tracker.standing())
          .as("seed %d, %s, answers %s, last attempt %s", seed, quorum, answers, lastAttempt)
          .isEqualTo(naiveStanding(quorum, lastAttempt, answers));
      assertThat(tracker.newestMet()).as("seed %d", seed).isEqualTo(naiveNewest(answers));
      for (int i = 0; i < quorum.from(); i++) {
        assertThat(tracker.isOpen(i)).as("seed %d", seed).isEqualTo(!answers.containsKey(i));
        assertThat(tracker.isRefused(i))
            .as("seed %d", seed)
            .isEqualTo(answers.get(i) instanceof Applied.Refused);
      }
    }
    assertThat(tracker.standing()).as("seed %d", seed).isNotEqualTo(Standing.PENDING);
  }

  private static Standing naiveStanding(
      Quorum quorum, boolean lastAttempt, Map<Integer, Applied> answers) {
    long stored = answers.values().stream().filter(a -> a instanceof Applied.Stored).count();
    long superseded =
        answers.values().stream().filter(a -> a instanceof Applied.Superseded).count();
    int open = quorum.from() - answers.size();
    if (stored >= quorum.ack() || (lastAttempt && stored + superseded >= quorum.ack())) {
      return Standing.ACKNOWLEDGED;
    }
    if (stored + superseded >= quorum.ack()) {
      return Standing.SUPERSEDED;
    }
    return stored + superseded + open < quorum.ack() ? Standing.FAILED : Standing.PENDING;
  }

  private static Version naiveNewest(Map<Integer, Applied> answers) {
    return answers.values().stream()
        .filter(answer -> answer instanceof Applied.Superseded)
        .map(answer -> ((Applied.Superseded) answer).by())
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

  private static Applied randomAnswer(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> Applied.Stored.STORED;
      case 1 -> new Applied.Superseded(new Version(random.nextInt(1, 5), random.nextInt()));
      default -> REFUSED;
    };
  }

  @Test
  void acknowledgesAtTheAckthStoredAnswerAndNotBefore() {
    WriteTracker tracker = new WriteTracker(new Quorum(3, 5), false);
    tracker.on(4, Applied.Stored.STORED);
    tracker.on(2, Applied.Stored.STORED);
    assertThat(tracker.standing()).isEqualTo(Standing.PENDING);
    tracker.on(0, Applied.Stored.STORED);
    assertThat(tracker.standing()).isEqualTo(Standing.ACKNOWLEDGED);
  }

  @Test
  void aRepeatedAnswerCountsOnce() {
    WriteTracker tracker = new WriteTracker(new Quorum(2, 3), false);
    tracker.on(1, Applied.Stored.STORED);
    tracker.on(1, Applied.Stored.STORED);
    assertThat(tracker.standing()).isEqualTo(Standing.PENDING);
  }

  @Test
  void failsAsSoonAsTooFewAreLeft() {
    WriteTracker tracker = new WriteTracker(new Quorum(2, 3), false);
    tracker.on(0, REFUSED);
    assertThat(tracker.standing()).isEqualTo(Standing.PENDING);
    tracker.on(1, REFUSED);
    assertThat(tracker.standing()).isEqualTo(Standing.FAILED);
  }

  @Test
  void aSupersededFirstAttemptIsTriedAgainAndALastOneCounts() {
    WriteTracker first = new WriteTracker(new Quorum(2, 3), false);
    WriteTracker last = new WriteTracker(new Quorum(2, 3), true);
    for (WriteTracker tracker : List.of(first, last)) {
      tracker.on(0, Applied.Stored.STORED);
      tracker.on(1, SUPERSEDED);
    }
    assertThat(first.standing()).isEqualTo(Standing.SUPERSEDED);
    assertThat(last.standing()).isEqualTo(Standing.ACKNOWLEDGED);
  }

  @Test
  void saysWhatEachReplicaSaidInAWord() {
    WriteTracker tracker = new WriteTracker(new Quorum(4, 4), false);
    tracker.on(0, Applied.Stored.STORED);
    tracker.on(1, SUPERSEDED);
    tracker.on(2, REFUSED);
    assertThat(List.of(tracker.word(0), tracker.word(1), tracker.word(2), tracker.word(3)))
        .containsExactly("stored", "superseded", "unreachable", "pending");
  }
}
