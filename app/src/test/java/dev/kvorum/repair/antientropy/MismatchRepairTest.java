package dev.kvorum.repair.antientropy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.RecordKind;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import dev.kvorum.repair.RepairHarness;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ChecksumVerifier.Place;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MismatchRepairTest {
  private static final Key KEY = Key.of("k");
  private static final Duration SOON = Duration.ofSeconds(3);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RepairHarness harness = new RepairHarness(3).start();
  private final Versioned sound = harness.live(MINUTE, 3).sealed(KEY);

  private static Versioned changed(Versioned sound) {
    byte[] value = sound.value().clone();
    value[0] ^= 1;
    return Versioned.received(
        sound.version(),
        RecordKind.VALUE,
        sound.expiresAtMillis(),
        sound.from(),
        value,
        sound.checksum());
  }

  private ChecksumVerifier verifier() {
    return harness.site(0).replicas.verifier();
  }

  /** The first member finds a record of its own that does not match. */
  private void meet() {
    verifier().mismatched(Place.STORE, KEY, sound.version());
    harness.pass(SOON);
  }

  private boolean isIntact() {
    return harness.store(0).get(KEY).orElseThrow().isIntact(KEY);
  }

  @Test
  void fetchesTheRecordFromAPeer() {
    harness.put(KEY, sound);
    harness.store(0).put(KEY, changed(sound));
    meet();
    assertThat(harness.store(0).get(KEY)).contains(sound);
    assertThat(isIntact()).isTrue();
    assertThat(verifier().lost()).isZero();
  }

  @Test
  void takesNoOlderRecordInItsPlace() {
    Versioned older = harness.live(MINUTE.multipliedBy(2), 3);
    harness.store(0).put(KEY, changed(sound));
    harness.store(1).put(KEY, older);
    harness.store(2).put(KEY, older);
    meet();
    assertThat(isIntact()).isFalse();
    assertThat(verifier().areLost(List.of(KEY))).isTrue();
    assertThat(verifier().rejection(KEY)).isEqualTo(RejectReason.DATA_LOST);
  }

  @Test
  void waitsForAPeerThatMayHaveIt() {
    harness.store(0).put(KEY, changed(sound));
    harness.store(2).put(KEY, sound);
    harness.network.cutOff(harness.members.get(2));
    meet();
    assertThat(verifier().lost()).as("one has not answered").isZero();
    harness.network.bringBack(harness.members.get(2));
    harness.pass(MINUTE);
    assertThat(isIntact()).isTrue();
  }

  @Test
  void othersAreRepairedWhileAPeerThatMayHaveThousandsIsAway() {
    MemberId last = harness.members.getLast();
    List<Key> keys = IntStream.range(0, 1500).mapToObj(i -> Key.of("undecided" + i)).toList();
    keys.forEach(key -> harness.store(0).put(key, changed(harness.live(MINUTE, 3).sealed(key))));
    harness.store(0).put(KEY, changed(sound));
    harness.store(1).put(KEY, sound);
    harness.network.cutOff(last);
    // Met in every page, always in this order; 1000 at a time.
    for (int scan = 0; scan < 2; scan++) {
      keys.forEach(key -> verifier().mismatched(Place.STORE, key, sound.version()));
      harness.pass(Duration.ofMillis(100));
    }
    verifier().mismatched(Place.STORE, KEY, sound.version());
    harness.pass(Duration.ofMillis(100));
    assertThat(isIntact()).isTrue();
    assertThat(verifier().lost()).isZero();

    Key found = keys.getFirst();
    Versioned copy = harness.live(Duration.ZERO, 3).sealed(found);
    harness.store(2).put(found, copy);
    harness.network.bringBack(last);
    harness.pass(MINUTE.multipliedBy(2));
    assertThat(harness.store(0).get(found)).contains(copy);
    assertThat(verifier().areLost(keys.subList(1, 1500))).as("all have answered").isTrue();
    assertThat(verifier().lost()).isEqualTo(1499);
  }

  @Test
  void aRebuildWaitsForTheRecordUntilItIsRepaired() {
    loseLastDiskWhile(List.of(1));
    harness.pass(SOON);
    assertThat(harness.site(2).votesOnAll()).as("the first has not given all").isFalse();
    meet();
    harness.pass(MINUTE);
    assertThat(harness.site(2).votesOnAll()).isTrue();
    assertThat(harness.store(2).get(KEY)).contains(sound);
    assertThat(isIntact()).isTrue();
  }

  @Test
  void aRebuildDoesNotWaitForALostRecord() {
    loseLastDiskWhile(List.of());
    harness.pass(SOON);
    assertThat(harness.site(2).votesOnAll()).isFalse();
    meet();
    assertThat(verifier().lost()).isEqualTo(1);
    harness.pass(MINUTE);
    assertThat(harness.site(2).votesOnAll()).isTrue();
    assertThat(harness.store(2).get(KEY)).isEmpty();
  }

  /** The first member's copy does not match; the next comparison comes too late to help. */
  private void loseLastDiskWhile(List<Integer> intact) {
    MemberId last = harness.members.getLast();
    harness.kill(last);
    harness.loseDisk(last);
    harness.store(0).put(KEY, changed(sound));
    intact.forEach(member -> harness.store(member).put(KEY, sound));
    harness.start(last);
  }

  @Test
  void aRebuildDoesNotWaitForThousandsOfLostRecords() {
    List<Key> keys = single(2500);
    loseLastDiskWhile(List.of());
    keys.forEach(key -> harness.store(0).put(key, changed(harness.live(MINUTE, 1).sealed(key))));
    // Pages of a copy meet them again and again, always in this order.
    for (int scan = 0; scan < 3; scan++) {
      assertThat(harness.site(2).votesOnAll()).as("scan %d", scan).isFalse();
      keys.forEach(key -> verifier().mismatched(Place.STORE, key, sound.version()));
      meet();
    }
    assertThat(verifier().areLost(keys)).isTrue();
    harness.pass(MINUTE);
    assertThat(harness.site(2).votesOnAll()).isTrue();

    keys.forEach(key -> harness.store(0).put(key, harness.live(Duration.ZERO, 1).sealed(key)));
    harness.pass(MINUTE);
    assertThat(verifier().lost()).as("not all are checked in one round").isPositive();
    harness.pass(MINUTE);
    assertThat(verifier().areLost(keys)).isFalse();
    assertThat(verifier().lost()).as("the one that nobody has written").isEqualTo(1);
  }

  /** Keys of which the first member has the only copy. */
  private List<Key> single(int count) {
    MemberId first = harness.members.getFirst();
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> Key.of("single" + i))
        .filter(key -> harness.replicas(key, 1).contains(first))
        .limit(count)
        .toList();
  }

  @Test
  void aCopyOfALostRecordThatComesBackRepairsIt() {
    Versioned lone = harness.live(MINUTE, 3).sealed(KEY);
    harness.store(0).put(KEY, changed(lone));
    meet();
    assertThat(verifier().lost()).isEqualTo(1);
    harness.store(2).put(KEY, lone);
    harness.pass(MINUTE.multipliedBy(2));
    assertThat(isIntact()).isTrue();
    assertThat(verifier().lost()).isZero();
  }

  /** If stored, it would be dropped at once, and no member could copy from this one meanwhile. */
  @Test
  void aNewerRecordThatOthersKeepIsNoRepair() {
    Key key = harness.keyOf(harness.members.get(1), harness.members.get(0));
    Versioned old = harness.live(MINUTE, 3).sealed(key);
    harness.store(0).put(key, changed(old));
    harness.store(1).put(key, harness.live(Duration.ZERO, 1).sealed(key));
    verifier().mismatched(Place.STORE, key, old.version());
    harness.pass(SOON);
    assertThat(verifier().areLost(List.of(key))).as("pages go on without it").isTrue();
    assertThat(verifier().rejection(key)).isEqualTo(RejectReason.DATA_LOST);
  }

  @Test
  void aCopyIsFoundBesideANewerRecordThatOthersKeep() {
    Key key = harness.keyOf(harness.members.get(1), harness.members.get(0));
    Versioned old = harness.live(MINUTE, 3).sealed(key);
    harness.store(0).put(key, changed(old));
    harness.store(1).put(key, harness.live(Duration.ZERO, 1).sealed(key));
    harness.store(2).put(key, old);
    verifier().mismatched(Place.STORE, key, old.version());
    harness.pass(SOON);
    assertThat(verifier().lost()).isZero();
    assertThat(harness.store(0).get(key).orElseThrow().isIntact(key)).isTrue();
  }

  @Test
  void whatIsLostIsFoundAgainWhenItIsWritten() {
    harness.store(0).put(KEY, changed(sound));
    meet();
    assertThat(verifier().lost()).isEqualTo(1);
    harness.put(KEY, harness.live(Duration.ZERO, 3));
    harness.pass(MINUTE);
    assertThat(verifier().lost()).isZero();
  }
}
