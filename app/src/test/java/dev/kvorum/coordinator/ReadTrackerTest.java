package dev.kvorum.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.coordinator.ReadTracker.Standing;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.Lookup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadTrackerTest {
  private static final Lookup UNKNOWN = new Lookup.Unknown(Refusal.STORAGE_FAILED);

  @Test
  void agreesWithANaiveCountWhateverIsAnsweredInWhateverOrder() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int from = 1; from <= 7; from++) {
      for (int ack = 1; ack <= from; ack++) {
        for (int round = 0; round < 100; round++) {
          compareWithNaiveCount(new Quorum(ack, from), random, seed);
        }
      }
    }
  }

  private static void compareWithNaiveCount(Quorum quorum, Random random, long seed) {
    ReadTracker tracker = new ReadTracker(quorum);
    Map<Integer, Lookup> answers = new HashMap<>();
    List<Versioned> records = new ArrayList<>();
    for (int i = 0; i < quorum.from(); i++) {
      tracker.askNext();
    }
    List<Integer> order = WriteTrackerTest.shuffled(quorum.from(), random);
    // Some answer twice: first the version, then the record or a failure.
    order.addAll(WriteTrackerTest.shuffled(random.nextInt(quorum.from() + 1), random));
    for (int replica : order) {
      Lookup answer = randomAnswer(random);
      answers.put(replica, answer);
      if (answer instanceof Lookup.Found found) {
        records.add(found.record());
      }
      tracker.on(replica, answer);
      String state = "seed " + seed + ", " + quorum + ", answers " + answers;
      assertThat(tracker.standing()).as(state).isEqualTo(naive(quorum, answers, records));
      assertThat(version(tracker.newest())).as(state).isEqualTo(newest(records));
      if (tracker.standing() == Standing.SETTLED) {
        compareSettled(tracker, quorum, answers, newest(records), state);
      }
    }
    assertThat(tracker.standing()).as("seed %d", seed).isNotEqualTo(Standing.PENDING);
  }

  private static void compareSettled(
      ReadTracker tracker,
      Quorum quorum,
      Map<Integer, Lookup> answers,
      Version newest,
      String state) {
    List<Integer> stale = new ArrayList<>();
    int holders = 0;
    for (int replica = 0; replica < quorum.from(); replica++) {
      Lookup answer = answers.getOrDefault(replica, UNKNOWN);
      boolean behind = newest.isNewerThan(versionOf(answer));
      if (!(answer instanceof Lookup.Unknown)) {
        holders += !behind && !newest.equals(Version.NONE) ? 1 : 0;
        if (behind) {
          stale.add(replica);
        }
      }
    }
    assertThat(tracker.stale()).as(state).isEqualTo(stale);
    assertThat(tracker.holders()).as(state).hasSize(holders);
  }

  private static Standing naive(
      Quorum quorum, Map<Integer, Lookup> answers, List<Versioned> records) {
    int good = (int) answers.values().stream().filter(a -> !(a instanceof Lookup.Unknown)).count();
    int open = quorum.from() - answers.size();
    if (good + open < quorum.ack()) {
      return Standing.FAILED;
    }
    if (good < quorum.ack()) {
      return Standing.PENDING;
    }
    boolean newerKnown =
        answers.values().stream().anyMatch(a -> versionOf(a).isNewerThan(newest(records)));
    return newerKnown ? Standing.RECORD_MISSING : Standing.SETTLED;
  }

  private static Version newest(List<Versioned> records) {
    return records.stream().map(Versioned::version).max(Version::compareTo).orElse(Version.NONE);
  }

  private static Version version(@org.jspecify.annotations.Nullable Versioned record) {
    return record == null ? Version.NONE : record.version();
  }

  private static Version versionOf(Lookup answer) {
    return switch (answer) {
      case Lookup.Found found -> found.record().version();
      case Lookup.FoundVersion found -> found.version();
      case Lookup.Absent a -> Version.NONE;
      case Lookup.Unknown u -> Version.NONE;
    };
  }

  private static Lookup randomAnswer(Random random) {
    Version version = new Version(random.nextInt(1, 5), 0);
    return switch (random.nextInt(4)) {
      case 0 -> new Lookup.Found(Versioned.tombstone(version, 1));
      case 1 -> new Lookup.FoundVersion(version);
      case 2 -> Lookup.Absent.ABSENT;
      default -> UNKNOWN;
    };
  }

  @Test
  void asksEachReplicaOnceInOrder() {
    ReadTracker tracker = new ReadTracker(new Quorum(2, 3));
    assertThat(tracker.missing()).isEqualTo(2);
    assertThat(List.of(tracker.askNext(), tracker.askNext())).containsExactly(0, 1);
    assertThat(tracker.missing()).isZero();
    tracker.on(0, UNKNOWN);
    assertThat(tracker.missing()).isEqualTo(1);
    assertThat(List.of(tracker.askNext(), tracker.askNext())).containsExactly(2, -1);
  }

  @Test
  void aReplicaThatFailsAfterItsVersionIsNoLongerCounted() {
    ReadTracker tracker = new ReadTracker(new Quorum(2, 3));
    Versioned old = Versioned.tombstone(new Version(1, 0), 3);
    tracker.askNext();
    tracker.askNext();
    tracker.on(0, new Lookup.Found(old));
    tracker.on(1, new Lookup.FoundVersion(new Version(2, 0)));
    assertThat(tracker.standing()).isEqualTo(Standing.RECORD_MISSING);
    assertThat(tracker.holder()).isEqualTo(1);
    tracker.on(1, UNKNOWN);
    assertThat(tracker.standing()).isEqualTo(Standing.PENDING);
    assertThat(tracker.missing()).isEqualTo(1);
    tracker.askNext();
    tracker.on(2, Lookup.Absent.ABSENT);
    assertThat(tracker.standing()).isEqualTo(Standing.SETTLED);
    assertThat(Objects.requireNonNull(tracker.newest())).isEqualTo(old);
    assertThat(tracker.stale()).containsExactly(2);
  }

  @Test
  void saysWhatEachReplicaSaidInAWord() {
    ReadTracker tracker = new ReadTracker(new Quorum(5, 5));
    for (int i = 0; i < 4; i++) {
      tracker.askNext();
    }
    tracker.on(0, new Lookup.FoundVersion(new Version(2, 0)));
    tracker.on(1, Lookup.Absent.ABSENT);
    tracker.on(2, UNKNOWN);
    assertThat(
            List.of(
                tracker.word(0),
                tracker.word(1),
                tracker.word(2),
                tracker.word(3),
                tracker.word(4)))
        .containsExactly("found", "absent", "storage-failed", "pending", "not-asked");
  }
}
