package dev.kvorum.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import dev.kvorum.verifier.OwnKey;
import dev.kvorum.verifier.OwnKey.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;

/**
 * The verifier's rules and the checker's judge a key with one writer alike, though the verifier
 * keeps no history.
 */
class SingleWriterTest {
  private static final int STEPS = 200;

  /** How long a write may be under way after its client gave it up. */
  private static final int LATE_MAX_MILLIS = 4_000;

  private record Write(long number, long version) {}

  private final Random random = Seeds.random();
  private final OwnKey key = new OwnKey("k");
  private final HistoryBuilder history = new HistoryBuilder();
  private final List<Write> acknowledged = new ArrayList<>();
  private final List<Write> underWay = new ArrayList<>();
  private final Set<Long> lateVersions = new HashSet<>();
  private final List<Verdict> violations = new ArrayList<>();
  private Write stored = new Write(0, 0);

  /** Even, as are the versions of acknowledged writes; those of others are odd. */
  private long now;

  @RepeatedTest(20)
  void anHonestHistoryPassesBoth() {
    run();
    assertThat(violations).isEmpty();
    assertThat(history.violations()).isEmpty();
  }

  @RepeatedTest(50)
  void bothNoticeWhatIsBroken() {
    run();
    acknowledge();
    acknowledge();
    pass(2);
    spoil();
    assertThat(violations).hasSize(1);
    assertThat(history.violations()).isNotEmpty();
  }

  private void run() {
    for (int i = 0; i < STEPS; i++) {
      // Mostly close together, so that late writes are above later ones.
      pass(2L * random.nextInt(random.nextInt(10) == 0 ? 5_000 : 150));
      switch (random.nextInt(6)) {
        case 0, 1 -> acknowledge();
        case 2 -> perhapsWrite();
        case 3 -> reject();
        default -> read();
      }
    }
  }

  private void pass(long millis) {
    now += millis;
    underWay.removeIf(write -> {
      boolean isDue = write.version() < now;
      if (isDue && write.version() > stored.version()) {
        stored = write;
      }
      return isDue;
    });
  }

  private void acknowledge() {
    pass(2);
    stored = new Write(key.next(), now);
    acknowledged.add(stored);
    acknowledge(stored);
  }

  private void acknowledge(Write write) {
    history.put(value(write), write.version(), now - 1, now);
    note(key.acknowledged(write.number(), version(write), nanos(now - 1)));
  }

  private void perhapsWrite() {
    pass(2);
    long number = key.next();
    history.perhapsPut("v" + number, 0, now - 1, now);
    key.unanswered(number, nanos(now));
    if (random.nextBoolean()) {
      long version = now + 1 + 2L * random.nextInt(LATE_MAX_MILLIS / 2);
      if (lateVersions.add(version)) {
        underWay.add(new Write(number, version));
      }
    }
  }

  private void reject() {
    pass(2);
    history.rejectedPut("v" + key.next(), now - 1, now);
  }

  private void read() {
    if (stored.number() == 0) {
      miss();
    } else {
      show(stored);
    }
  }

  private void miss() {
    history.miss(now, now);
    note(key.missed());
  }

  private void show(Write write) {
    history.read(value(write), write.version(), now, now);
    note(key.seen(write.number(), version(write)));
  }

  private void spoil() {
    Write newest = acknowledged.getLast();
    Write old = acknowledged.get(random.nextInt(acknowledged.size() - 1));
    switch (random.nextInt(7)) {
      case 0 -> miss();
      case 1 -> show(old);
      case 2 -> show(new Write(old.number(), now));
      case 3 -> show(new Write(newest.number(), now));
      case 4 -> show(new Write(key.next() + 1, now));
      case 5 -> acknowledge(new Write(key.next(), newest.version() - 1));
      default -> acknowledge(new Write(key.next(), newest.version()));
    }
  }

  private void note(Verdict verdict) {
    if (verdict != Verdict.RIGHT) {
      violations.add(verdict);
    }
  }

  private static String value(Write write) {
    return "v" + write.number();
  }

  private static String version(Write write) {
    return HistoryBuilder.version(write.version());
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
