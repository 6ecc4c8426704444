package dev.kvorum.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.auth.RequestBytes;
import dev.kvorum.auth.TestLimits;
import dev.kvorum.auth.UserLimits;
import dev.kvorum.http.AdmissionControl.Permit;
import dev.kvorum.metrics.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdmissionControlTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Meters meters = new Meters(registry);
  private long nanos;

  private AdmissionControl admission(int min, int max, long bytesMax) {
    return new AdmissionControl(min, max, bytesMax, meters);
  }

  @Test
  void takesReadsUpToTheLimitAndAgainOnceOneIsOver() {
    AdmissionControl admission = admission(4, 4, 0);
    List<Permit> permits = all(Stream.generate(() -> read(admission)).limit(4));

    assertThat(read(admission)).isNull();
    permits.getFirst().served();
    assertThat(read(admission)).isNotNull();
    assertThat(read(admission)).isNull();
    permits.getLast().close();
    assertThat(read(admission)).isNotNull();
  }

  @Test
  void countsReadsAndWritesApart() {
    AdmissionControl admission = admission(1, 1, 100);

    assertThat(read(admission)).isNotNull();
    assertThat(begun(admission, 1)).isNotNull();
    assertThat(read(admission)).isNull();
    assertThat(write(admission, 1)).isNull();
  }

  @Test
  void rejectsWritesWhoseValuesDoNotFitIntoMemory() {
    AdmissionControl admission = admission(10, 10, 100);
    Permit first = begun(admission, 60);

    assertThat(write(admission, 41)).isNull();
    assertThat(write(admission, 40)).isNotNull();
    assertThat(write(admission, 1)).isNull();
    first.close();
    assertThat(write(admission, 60)).isNotNull();
    assertThat(write(admission, 1)).isNull();
  }

  @Test
  void doesNotCountAWriteWhoseValueIsStillToCome() {
    AdmissionControl admission = admission(1, 1, 100);
    List<Permit> slow = all(Stream.generate(() -> write(admission, 10)).limit(5));

    Permit fast = begun(admission, 10);

    assertThat(slow.getFirst().begin()).isFalse();
    fast.served();
    assertThat(slow.getFirst().begin()).isTrue();
  }

  @Test
  void keepsTheMemoryOfAWriteThatOutlivesItsAnswer() {
    AdmissionControl admission = admission(10, 10, 100);
    Permit permit = begun(admission, 100);

    permit.handOver();
    permit.served();
    permit.close();
    assertThat(write(admission, 1)).isNull();
    permit.release();
    assertThat(write(admission, 100)).isNotNull();
  }

  @Test
  void givesBackOnceHoweverOftenItIsClosed() {
    AdmissionControl admission = admission(2, 2, 100);
    Permit other = begun(admission, 50);
    Permit permit = begun(admission, 50);

    permit.served();
    permit.served();
    permit.close();
    permit.close();

    assertThat(write(admission, 51)).isNull();
    assertThat(begun(admission, 50)).isNotNull();
    assertThat(write(admission, 0)).as("the other one is still under way").isNull();
    other.close();
  }

  @Test
  void givesBackTheMemoryOfAWriteThatNeverBegan() {
    AdmissionControl admission = admission(1, 1, 100);

    Objects.requireNonNull(write(admission, 100)).close();

    assertThat(begun(admission, 100)).isNotNull();
  }

  @Test
  void countsAReadWhoseValueFindsNoMemory() {
    AdmissionControl admission = admission(1, 1, 100);
    Permit permit = Objects.requireNonNull(read(admission));

    assertThat(permit.take(100)).isTrue();
    assertThat(permit.take(1)).isFalse();

    assertThat(registry.counter("kvorum.admission.shed", "kind", "read").count()).isEqualTo(1);
    permit.close();
    assertThat(admission.bytes()).isZero();
  }

  @Test
  void givesTheBytesOfTheUserBackOnceAndOnlyWhenTheMemoryIsFree() {
    AdmissionControl admission = admission(10, 10, 1000);
    UserLimits user = TestLimits.ofBytes(100);
    Permit held = Objects.requireNonNull(admission.write(60, user.newRequest()));

    RequestBytes tooMany = user.newRequest();
    assertThat(admission.write(41, tooMany)).isNull();
    assertThat(tooMany.isRejected()).isTrue();
    assertThat(admission.bytes()).as("asked after the user's limit").isEqualTo(60);

    held.handOver();
    held.close();
    assertThat(admission.write(41, user.newRequest())).as("the write goes on").isNull();
    held.release();
    Permit other = Objects.requireNonNull(admission.write(100, user.newRequest()));
    held.close();
    assertThat(admission.write(1, user.newRequest())).as("closed once more").isNull();
    other.close();
    assertThat(admission.write(100, user.newRequest())).isNotNull();
  }

  @Test
  void takesNoBytesOfAUserWhomTheNodeRejects() {
    AdmissionControl admission = admission(10, 10, 100);
    UserLimits user = TestLimits.ofBytes(1000);
    RequestBytes rejected = user.newRequest();
    assertThat(admission.write(101, rejected)).isNull();
    assertThat(rejected.isRejected()).as("by the user's limit").isFalse();

    Permit read = Objects.requireNonNull(admission.read(user.newRequest()));
    assertThat(read.take(101)).isFalse();
    read.close();
    RequestBytes all = user.newRequest();
    assertThat(all.take(1)).isTrue();
    assertThat(user.newRequest().take(999)).as("nothing else is used").isTrue();
  }

  @Test
  void chargesTheValuesOfAReadToItsUser() {
    AdmissionControl admission = admission(10, 10, 1000);
    UserLimits user = TestLimits.ofBytes(100);
    Permit first = Objects.requireNonNull(admission.read(user.newRequest()));
    Permit second = Objects.requireNonNull(admission.read(user.newRequest()));

    assertThat(first.take(100)).isTrue();
    assertThat(second.take(1)).isFalse();
    assertThat(registry.counter("kvorum.admission.shed", "kind", "read").count()).isZero();
    assertThat(admission.read(user.newRequest())).as("before any work").isNull();
    first.close();
    assertThat(second.take(100)).isTrue();
  }

  private static @Nullable Permit read(AdmissionControl admission) {
    return admission.read(RequestBytes.UNLIMITED);
  }

  private static @Nullable Permit write(AdmissionControl admission, long heapBytes) {
    return admission.write(heapBytes, RequestBytes.UNLIMITED);
  }

  private static Permit begun(AdmissionControl admission, long heapBytes) {
    Permit permit = Objects.requireNonNull(write(admission, heapBytes));
    assertThat(permit.begin()).isTrue();
    return permit;
  }

  private static List<Permit> all(Stream<Permit> permits) {
    List<Permit> all = new ArrayList<>();
    permits.map(Objects::requireNonNull).forEach(all::add);
    return all;
  }

  /** As many reads as are admitted, each of which takes some time; the last one is rejected. */
  private int limitAfter(AdmissionControl admission, int seconds, IntToLongFunction latencyNanos) {
    long end = nanos + TimeUnit.SECONDS.toNanos(seconds);
    while (nanos < end) {
      List<Permit> admitted = new ArrayList<>();
      for (Permit one = read(admission); one != null; one = read(admission)) {
        admitted.add(one);
      }
      nanos += latencyNanos.applyAsLong(admitted.size());
      admitted.forEach(Permit::served);
    }
    return admission.readsMax();
  }

  @Test
  void theLimitDoesNotCreepUpDuringAnOverload() {
    AdmissionControl admission = new AdmissionControl(256, 1024, 0, meters, () -> nanos);
    IntToLongFunction queueing = inFlight -> TimeUnit.SECONDS.toNanos(inFlight) / 25_000;

    int first = limitAfter(admission, 120, queueing);

    assertThat(first).as("twice the latency that it began with").isBetween(450, 600);
    assertThat(limitAfter(admission, 3600, queueing)).isEqualTo(first);
  }

  @Test
  void theLimitGrowsWhileRequestsTakeAsLongAsUsual() {
    AdmissionControl admission = new AdmissionControl(256, 1024, 0, meters, () -> nanos);

    assertThat(limitAfter(admission, 120, inFlight -> TimeUnit.MILLISECONDS.toNanos(40)))
        .as("a slow disk that commits many at once")
        .isEqualTo(1024);
    assertThat(limitAfter(admission, 30, inFlight -> TimeUnit.MILLISECONDS.toNanos(200)))
        .as("it is overloaded")
        .isEqualTo(256);
  }

  @Test
  void theLimitFollowsALatencyThatHasChangedWithoutAnOverload() {
    AdmissionControl admission = new AdmissionControl(256, 1024, 0, meters, () -> nanos);
    limitAfter(admission, 5, inFlight -> TimeUnit.MILLISECONDS.toNanos(2));
    for (int i = 0; i < 6000; i++) {
      Permit one = Objects.requireNonNull(read(admission));
      nanos += TimeUnit.MILLISECONDS.toNanos(100);
      one.served();
    }

    assertThat(limitAfter(admission, 120, inFlight -> TimeUnit.MILLISECONDS.toNanos(100)))
        .isEqualTo(1024);
  }
}
