package dev.kvorum.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.RecordKind;
import dev.kvorum.data.Versioned;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Members that differ become equal. */
class RepairSessionTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration ROUND = RepairHarness.INTERVAL.multipliedBy(3);

  private final RepairHarness harness = new RepairHarness(3);
  private final MemberId a = harness.members.get(0);
  private final MemberId b = harness.members.get(1);
  private final MemberId c = harness.members.get(2);

  @Test
  void bothDirectionsAreRepaired() {
    harness.start();
    Key first = Key.of("first");
    Key second = Key.of("second");
    harness.putExcept(first, harness.live(MINUTE, 3), Set.of(a));
    harness.putExcept(second, harness.live(MINUTE, 3), Set.of(b));
    assertThat(harness.store(a).get(first)).isEmpty();
    harness.pass(ROUND);
    assertThat(harness.store(a).get(first)).isPresent();
    assertThat(harness.store(b).get(second)).isPresent();
    harness.assertEqual();
    assertThat(harness.site(a).counted("kvorum.repair.records")).isEqualTo(1);
    assertThat(harness.site(a).counted("kvorum.repair.differences")).isGreaterThanOrEqualTo(1);
    assertThat(harness.site(a).counted("kvorum.repair.sessions", "outcome", "completed"))
        .isGreaterThan(1);
    assertThat(harness.site(a).counted("kvorum.repair.sessions", "outcome", "failed")).isZero();
  }

  @Test
  void nobodyGetsMoreCopiesThanTheWriterAskedFor() {
    harness.start();
    for (int i = 0; i < 200; i++) {
      Key key = Key.of("key " + i);
      int from = 1 + i % 3;
      harness.putExcept(
          key, harness.live(MINUTE, from), Set.of(harness.replicas(key, from).getLast()));
    }
    harness.pass(ROUND);
    harness.assertEqual();
    for (Key key : harness.keys()) {
      long copies = harness.stores.values().stream().filter(s -> s.get(key).isPresent()).count();
      int from =
          harness.stores.values().stream()
              .flatMap(s -> s.get(key).stream())
              .findFirst()
              .orElseThrow()
              .from();
      assertThat(copies).as(key.toString()).isEqualTo(from);
    }
  }

  @Test
  void anOlderCopyIsRemovedWhenTheNewerRecordIsKeptByFewer() {
    harness.start();
    Key key = harness.keyOf(a, b, c);
    harness.put(key, harness.live(HOUR, 3));
    Versioned newer = harness.live(MINUTE, 1);
    harness.put(key, newer);
    assertThat(harness.store(c).get(key)).isPresent();
    harness.pass(ROUND);
    assertThat(harness.store(a).get(key)).contains(newer);
    assertThat(harness.store(b).get(key)).isEmpty();
    assertThat(harness.store(c).get(key)).isEmpty();
    assertThat(harness.store(c).purgedUpTo()).as("no tombstone was removed").isZero();
  }

  @Test
  void anOlderCopyThatWentDoesNotComeBackFromThoseThatMissedIt() {
    harness.start();
    harness.network.part(a, c);
    Key key = harness.keyOf(a, b, c);
    Versioned old = harness.live(HOUR, 3);
    harness.put(key, old);
    harness.put(key, harness.live(MINUTE, 1));
    harness.pass(ROUND);
    assertThat(harness.store(c).get(key)).as("nobody told it").contains(old);
    assertThat(harness.store(b).get(key)).isEmpty();
    assertThat(harness.site(b).counted("kvorum.repair.records")).as("came again").isZero();
    harness.network.heal();
    harness.pass(ROUND.multipliedBy(3));
    assertThat(harness.store(c).get(key)).isEmpty();
    harness.assertEqual();
  }

  @Test
  void anOlderCopyComesBackWhenTheOnlyNewerOneIsLost() {
    harness.start();
    harness.network.part(a, c);
    Key key = harness.keyOf(a, b, c);
    Versioned old = harness.live(HOUR, 3);
    harness.put(key, old);
    harness.put(key, harness.live(MINUTE, 1));
    harness.pass(ROUND);
    assertThat(harness.store(b).get(key)).as("let go").isEmpty();
    harness.kill(a);
    harness.loseDisk(a);
    harness.network.heal();
    harness.start(a);
    harness.pass(ROUND.multipliedBy(5));
    assertThat(harness.store(b).get(key)).contains(old);
    harness.assertEqual();
  }

  @Test
  void aTombstoneOfFewCopiesBeatsTheOlderRecordOfMany() {
    harness.start();
    Key key = harness.keyOf(a, b, c);
    harness.put(key, harness.live(HOUR, 3));
    harness.put(key, harness.tombstone(MINUTE, 1));
    harness.pass(ROUND);
    assertThat(harness.store(a).get(key)).map(Versioned::tombstone).contains(true);
    assertThat(harness.store(b).get(key)).isEmpty();
    assertThat(harness.store(c).get(key)).isEmpty();
  }

  @Test
  void aCopyThatIsNotWhatWasStoredIsFetchedFromAnother() {
    harness.start();
    harness.pass(ROUND);
    for (int i = 0; i < 20; i++) {
      Key key = Key.of("key " + i);
      Versioned sound = harness.live(MINUTE, 3).sealed(key);
      harness.put(key, sound);
      byte[] value = sound.value().clone();
      value[i] ^= 1;
      harness
          .store(i % 3)
          .put(
              key,
              Versioned.received(sound.version(), RecordKind.VALUE, 0, 3, value, sound.checksum()));
    }
    harness.pass(ROUND.multipliedBy(2));
    for (Key key : harness.keys()) {
      for (MemberId member : List.of(a, b, c)) {
        assertThat(harness.store(member).get(key).map(held -> held.isIntact(key)))
            .as("%s on %s", key, member)
            .contains(true);
      }
    }
  }

  @Test
  void ofTwoValuesOfOneVersionAllKeepTheSame() {
    harness.start();
    Key key = Key.of("k");
    Versioned one = harness.live(MINUTE, 3).sealed(key);
    Versioned other = Versioned.live(one.version(), 0, 3, new byte[] {7}).sealed(key);
    harness.put(key, one);
    harness.store(b).put(key, other);
    harness.pass(ROUND.multipliedBy(2));
    Versioned winner = one.outweighs(other) ? one : other;
    for (MemberId member : List.of(a, b, c)) {
      assertThat(harness.store(member).get(key)).as(member.name()).contains(winner);
    }
  }

  @Test
  void anExpiredRecordAndItsTombstoneAreEqual() {
    harness.start();
    harness.pass(ROUND);
    for (int i = 0; i < 50; i++) {
      Versioned live = harness.live(MINUTE, 3);
      Key key = Key.of("key " + i);
      harness.put(
          key, Versioned.live(live.version(), harness.wallMillis() - 30_000, 3, live.value()));
      harness.store(a).put(key, Versioned.tombstone(live.version(), 3));
    }
    harness.pass(ROUND);
    harness
        .sites
        .values()
        .forEach(site -> assertThat(site.counted("kvorum.repair.differences")).isZero());
    assertThat(harness.site(b).counted("kvorum.repair.records.expired")).isEqualTo(50);
    assertThat(harness.store(b).get(Key.of("key 1"))).map(Versioned::tombstone).contains(true);
  }

  @Test
  void keysThatAreWrittenAllTheTimeDoNotStandInTheWay() {
    harness.start();
    Set<Key> hot = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      Key key = Key.of("key " + i);
      harness.putExcept(key, harness.live(HOUR, 3), Set.of(harness.members.get(i % 3)));
      if (i % 3 == 0) {
        hot.add(key);
      }
    }
    harness.loop.scheduleWithFixedDelay(
        () -> hot.forEach(key -> harness.put(key, harness.live(Duration.ZERO, 3))),
        7,
        7,
        TimeUnit.SECONDS);
    harness.pass(ROUND);
    harness.assertEqual();
    assertThat(harness.site(a).counted("kvorum.repair.sessions", "outcome", "failed")).isZero();
  }

  @Test
  void aMemberThatWasPausedIsEqualWithinSeconds() {
    harness.start();
    harness.pass(ROUND);
    harness.site(a).loop.stop();
    harness.pass(Duration.ofSeconds(3));
    for (int i = 0; i < 100; i++) {
      // Not acknowledged, so that no node keeps a hint.
      harness.putExcept(Key.of("new " + i), harness.live(Duration.ZERO, 3), Set.of(a));
    }
    harness.site(a).loop.resume();
    harness.pass(Duration.ofSeconds(12));
    harness.assertEqual();
  }

  @Test
  void aMemberThatComesBackIsEqualWithinSeconds() {
    harness.start();
    harness.pass(ROUND);
    harness.network.cutOff(a);
    harness.pass(MINUTE);
    for (int i = 0; i < 100; i++) {
      harness.putExcept(Key.of("new " + i), harness.live(Duration.ZERO, 3), Set.of(a));
      harness.putExcept(Key.of("own " + i), harness.live(Duration.ZERO, 3), Set.of(b, c));
    }
    harness.network.bringBack(a);
    assertThat(harness.differences()).isNotEmpty();
    harness.pass(Duration.ofSeconds(12));
    harness.assertEqual();
  }
}
