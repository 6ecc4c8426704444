package dev.kvorum.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Members that differ become equal. */
class PullTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration ROUND = RepairBench.INTERVAL.multipliedBy(3);

  private final RepairBench bench = new RepairBench(3);
  private final MemberId a = bench.members.get(0);
  private final MemberId b = bench.members.get(1);
  private final MemberId c = bench.members.get(2);

  @Test
  void bothDirectionsAreMended() {
    bench.start();
    Key first = Key.of("first");
    Key second = Key.of("second");
    bench.putExcept(first, bench.live(MINUTE, 3), Set.of(a));
    bench.putExcept(second, bench.live(MINUTE, 3), Set.of(b));
    assertThat(bench.store(a).get(first)).isEmpty();
    bench.pass(ROUND);
    assertThat(bench.store(a).get(first)).isPresent();
    assertThat(bench.store(b).get(second)).isPresent();
    bench.assertEqual();
    assertThat(bench.site(a).counted("kvorum.repair.records")).isEqualTo(1);
    assertThat(bench.site(a).counted("kvorum.repair.differences")).isGreaterThanOrEqualTo(1);
    assertThat(bench.site(a).counted("kvorum.repair.pulls.completed")).isGreaterThan(1);
    assertThat(bench.site(a).counted("kvorum.repair.pulls.failed")).isZero();
  }

  @Test
  void nobodyGetsMoreCopiesThanTheWriterAskedFor() {
    bench.start();
    for (int i = 0; i < 200; i++) {
      Key key = Key.of("key " + i);
      int from = 1 + i % 3;
      bench.putExcept(key, bench.live(MINUTE, from), Set.of(bench.replicas(key, from).getLast()));
    }
    bench.pass(ROUND);
    bench.assertEqual();
    for (Key key : bench.keys()) {
      long copies = bench.stores.values().stream().filter(s -> s.get(key).isPresent()).count();
      int from =
          bench.stores.values().stream()
              .flatMap(s -> s.get(key).stream())
              .findFirst()
              .orElseThrow()
              .from();
      assertThat(copies).as(key.toString()).isEqualTo(from);
    }
  }

  @Test
  void anOlderCopyGoesWhenTheNewerRecordIsToBeKeptByFewer() {
    bench.start();
    Key key = bench.keyOf(a, b, c);
    bench.put(key, bench.live(HOUR, 3));
    Versioned newer = bench.live(MINUTE, 1);
    bench.put(key, newer);
    assertThat(bench.store(c).get(key)).isPresent();
    bench.pass(ROUND);
    assertThat(bench.store(a).get(key)).contains(newer);
    assertThat(bench.store(b).get(key)).isEmpty();
    assertThat(bench.store(c).get(key)).isEmpty();
    assertThat(bench.store(c).removedUpTo()).as("no tombstone was removed").isZero();
  }

  @Test
  void anOlderCopyThatWentDoesNotComeBackFromThoseWhoHaveNotHeard() {
    bench.start();
    bench.network.part(a, c);
    Key key = bench.keyOf(a, b, c);
    Versioned old = bench.live(HOUR, 3);
    bench.put(key, old);
    bench.put(key, bench.live(MINUTE, 1));
    bench.pass(ROUND);
    assertThat(bench.store(c).get(key)).as("nobody told it").contains(old);
    assertThat(bench.store(b).get(key)).isEmpty();
    assertThat(bench.site(b).counted("kvorum.repair.records")).as("came again").isZero();
    bench.network.heal();
    bench.pass(ROUND.multipliedBy(3));
    assertThat(bench.store(c).get(key)).isEmpty();
    bench.assertEqual();
  }

  @Test
  void anOlderCopyComesBackWhenTheOnlyNewerOneIsLost() {
    bench.start();
    bench.network.part(a, c);
    Key key = bench.keyOf(a, b, c);
    Versioned old = bench.live(HOUR, 3);
    bench.put(key, old);
    bench.put(key, bench.live(MINUTE, 1));
    bench.pass(ROUND);
    assertThat(bench.store(b).get(key)).as("let go").isEmpty();
    bench.kill(a);
    bench.loseDisk(a);
    bench.network.heal();
    bench.start(a);
    bench.pass(ROUND.multipliedBy(5));
    assertThat(bench.store(b).get(key)).contains(old);
    bench.assertEqual();
  }

  @Test
  void aTombstoneOfFewCopiesBeatsTheOlderRecordOfMany() {
    bench.start();
    Key key = bench.keyOf(a, b, c);
    bench.put(key, bench.live(HOUR, 3));
    bench.put(key, bench.tombstone(MINUTE, 1));
    bench.pass(ROUND);
    assertThat(bench.store(a).get(key)).map(Versioned::tombstone).contains(true);
    assertThat(bench.store(b).get(key)).isEmpty();
    assertThat(bench.store(c).get(key)).isEmpty();
  }

  @Test
  void aCopyThatIsNotWhatWasStoredIsFetchedFromAnother() {
    bench.start();
    bench.pass(ROUND);
    for (int i = 0; i < 20; i++) {
      Key key = Key.of("key " + i);
      Versioned sound = bench.live(MINUTE, 3).sealed(key);
      bench.put(key, sound);
      byte[] value = sound.value().clone();
      value[i] ^= 1;
      bench
          .store(i % 3)
          .put(key, Versioned.received(sound.version(), false, 0, 3, value, sound.checksum()));
    }
    bench.pass(ROUND.multipliedBy(2));
    for (Key key : bench.keys()) {
      for (MemberId member : List.of(a, b, c)) {
        assertThat(bench.store(member).get(key).map(held -> held.isIntact(key)))
            .as("%s on %s", key, member)
            .contains(true);
      }
    }
  }

  @Test
  void ofTwoValuesOfOneVersionAllKeepTheSame() {
    bench.start();
    Key key = Key.of("k");
    Versioned one = bench.live(MINUTE, 3).sealed(key);
    Versioned other = Versioned.live(one.version(), 0, 3, new byte[] {7}).sealed(key);
    bench.put(key, one);
    bench.store(b).put(key, other);
    bench.pass(ROUND.multipliedBy(2));
    Versioned winner = one.outweighs(other) ? one : other;
    for (MemberId member : List.of(a, b, c)) {
      assertThat(bench.store(member).get(key)).as(member.name()).contains(winner);
    }
  }

  @Test
  void anExpiredRecordAndItsTombstoneAreEqual() {
    bench.start();
    bench.pass(ROUND);
    for (int i = 0; i < 50; i++) {
      Versioned live = bench.live(MINUTE, 3);
      Key key = Key.of("key " + i);
      bench.put(key, Versioned.live(live.version(), bench.wallMillis() - 30_000, 3, live.value()));
      bench.store(a).put(key, Versioned.tombstone(live.version(), 3));
    }
    bench.pass(ROUND);
    bench
        .sites
        .values()
        .forEach(site -> assertThat(site.counted("kvorum.repair.differences")).isZero());
    assertThat(bench.site(b).counted("kvorum.repair.records.entombed")).isEqualTo(50);
    assertThat(bench.store(b).get(Key.of("key 1"))).map(Versioned::tombstone).contains(true);
  }

  @Test
  void keysThatAreWrittenAllTheTimeDoNotStandInTheWay() {
    bench.start();
    Set<Key> hot = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      Key key = Key.of("key " + i);
      bench.putExcept(key, bench.live(HOUR, 3), Set.of(bench.members.get(i % 3)));
      if (i % 3 == 0) {
        hot.add(key);
      }
    }
    bench.loop.scheduleWithFixedDelay(
        () -> hot.forEach(key -> bench.put(key, bench.live(Duration.ZERO, 3))),
        7,
        7,
        TimeUnit.SECONDS);
    bench.pass(ROUND);
    bench.assertEqual();
    assertThat(bench.site(a).counted("kvorum.repair.pulls.failed")).isZero();
  }

  @Test
  void aMemberThatStoodStillIsEqualWithinSeconds() {
    bench.start();
    bench.pass(ROUND);
    bench.site(a).loop.stop();
    bench.pass(Duration.ofSeconds(3));
    for (int i = 0; i < 100; i++) {
      // Not acknowledged, so that nobody keeps a hint.
      bench.putExcept(Key.of("new " + i), bench.live(Duration.ZERO, 3), Set.of(a));
    }
    bench.site(a).loop.goOn();
    bench.pass(Duration.ofSeconds(12));
    bench.assertEqual();
  }

  @Test
  void aMemberThatComesBackIsEqualWithinSeconds() {
    bench.start();
    bench.pass(ROUND);
    bench.network.cutOff(a);
    bench.pass(MINUTE);
    for (int i = 0; i < 100; i++) {
      bench.putExcept(Key.of("new " + i), bench.live(Duration.ZERO, 3), Set.of(a));
      bench.putExcept(Key.of("own " + i), bench.live(Duration.ZERO, 3), Set.of(b, c));
    }
    bench.network.bringBack(a);
    assertThat(bench.differences()).isNotEmpty();
    bench.pass(Duration.ofSeconds(12));
    bench.assertEqual();
  }
}
