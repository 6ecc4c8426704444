package dev.kvorum.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ChecksumVerifier.Place;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MismatchRepairTest {
  private static final Key KEY = Key.of("k");
  private static final Duration SOON = Duration.ofSeconds(3);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RepairBench bench = new RepairBench(3).start();
  private final Versioned sound = bench.live(MINUTE, 3).sealed(KEY);

  private static Versioned changed(Versioned sound) {
    byte[] value = sound.value().clone();
    value[0] ^= 1;
    return Versioned.received(
        sound.version(), false, sound.expiresAtMillis(), sound.from(), value, sound.checksum());
  }

  private ChecksumVerifier verifier() {
    return bench.site(0).replicas.verifier();
  }

  /** The first member meets a record of its own that does not match. */
  private void meet() {
    verifier().mismatched(Place.STORE, KEY, sound.version());
    bench.pass(SOON);
  }

  private boolean isIntact() {
    return bench.store(0).get(KEY).orElseThrow().isIntact(KEY);
  }

  @Test
  void fetchesTheRecordFromAPeer() {
    bench.put(KEY, sound);
    bench.store(0).put(KEY, changed(sound));
    meet();
    assertThat(bench.store(0).get(KEY)).contains(sound);
    assertThat(isIntact()).isTrue();
    assertThat(verifier().lost()).isZero();
  }

  @Test
  void takesNoOlderRecordInItsPlace() {
    Versioned older = bench.live(MINUTE.multipliedBy(2), 3);
    bench.store(0).put(KEY, changed(sound));
    bench.store(1).put(KEY, older);
    bench.store(2).put(KEY, older);
    meet();
    assertThat(isIntact()).isFalse();
    assertThat(verifier().areLost(List.of(KEY))).isTrue();
    assertThat(verifier().refusal(KEY)).isEqualTo(Refusal.DATA_LOST);
  }

  @Test
  void waitsForAPeerThatMayHaveIt() {
    bench.store(0).put(KEY, changed(sound));
    bench.store(2).put(KEY, sound);
    bench.network.cutOff(bench.members.get(2));
    meet();
    assertThat(verifier().lost()).as("one has not answered").isZero();
    bench.network.bringBack(bench.members.get(2));
    bench.pass(MINUTE);
    assertThat(isIntact()).isTrue();
  }

  @Test
  void aRebuildWaitsForTheRecordUntilItIsRepaired() {
    loseLastDiskWhile(List.of(1));
    bench.pass(SOON);
    assertThat(bench.site(2).votesOnAll()).as("the first has not given all").isFalse();
    meet();
    bench.pass(MINUTE);
    assertThat(bench.site(2).votesOnAll()).isTrue();
    assertThat(bench.store(2).get(KEY)).contains(sound);
    assertThat(isIntact()).isTrue();
  }

  @Test
  void aRebuildDoesNotWaitForALostRecord() {
    loseLastDiskWhile(List.of());
    bench.pass(SOON);
    assertThat(bench.site(2).votesOnAll()).isFalse();
    meet();
    assertThat(verifier().lost()).isEqualTo(1);
    bench.pass(MINUTE);
    assertThat(bench.site(2).votesOnAll()).isTrue();
    assertThat(bench.store(2).get(KEY)).isEmpty();
  }

  /** The first member's copy does not match; the next comparison comes too late to help. */
  private void loseLastDiskWhile(List<Integer> intact) {
    MemberId last = bench.members.getLast();
    bench.kill(last);
    bench.loseDisk(last);
    bench.store(0).put(KEY, changed(sound));
    intact.forEach(member -> bench.store(member).put(KEY, sound));
    bench.start(last);
  }

  /** Taken, it would be let go at once; and nobody could copy from this member meanwhile. */
  @Test
  void aNewerRecordThatOthersKeepIsNoRepair() {
    Key key = bench.keyOf(bench.members.get(1), bench.members.get(0));
    Versioned old = bench.live(MINUTE, 3).sealed(key);
    bench.store(0).put(key, changed(old));
    bench.store(1).put(key, bench.live(Duration.ZERO, 1).sealed(key));
    verifier().mismatched(Place.STORE, key, old.version());
    bench.pass(SOON);
    assertThat(verifier().areLost(List.of(key))).as("pages go on without it").isTrue();
    assertThat(verifier().refusal(key)).isEqualTo(Refusal.DATA_LOST);
  }

  @Test
  void aCopyIsFoundBesideANewerRecordThatOthersKeep() {
    Key key = bench.keyOf(bench.members.get(1), bench.members.get(0));
    Versioned old = bench.live(MINUTE, 3).sealed(key);
    bench.store(0).put(key, changed(old));
    bench.store(1).put(key, bench.live(Duration.ZERO, 1).sealed(key));
    bench.store(2).put(key, old);
    verifier().mismatched(Place.STORE, key, old.version());
    bench.pass(SOON);
    assertThat(verifier().lost()).isZero();
    assertThat(bench.store(0).get(key).orElseThrow().isIntact(key)).isTrue();
  }

  @Test
  void whatIsLostIsFoundAgainWhenItIsWritten() {
    bench.store(0).put(KEY, changed(sound));
    meet();
    assertThat(verifier().lost()).isEqualTo(1);
    bench.put(KEY, bench.live(Duration.ZERO, 3));
    bench.pass(MINUTE);
    assertThat(verifier().lost()).isZero();
  }
}
