package dev.kvorum.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user may use of a node. */
class UserLimitsTest {
  private static final long SECOND = 1_000_000_000;
  private static final long BYTES = UserLimits.BYTES_MIN;

  private long nanos = Long.MAX_VALUE - SECOND / 2; // overflows soon, as the clock may

  private UserLimits limits(int requestsPerSecond, long bytes) {
    return UserLimits.of(requestsPerSecond, bytes, () -> nanos);
  }

  private static int takenAtOnce(UserLimits limits) {
    int taken = 0;
    while (limits.takeRequest()) {
      taken++;
    }
    return taken;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 1000, 700_000, 1_000_000})
  void aUserHasSoManyRequestsASecond(int rate) {
    UserLimits limits = limits(rate, 0);
    assertThat(takenAtOnce(limits)).isEqualTo(rate);
    nanos += SECOND / rate - 1;
    assertThat(limits.takeRequest()).as("just before the next is due").isFalse();
    nanos += 1;
    assertThat(limits.takeRequest()).isTrue();
    assertThat(limits.takeRequest()).isFalse();
    nanos += 3600 * SECOND;
    assertThat(takenAtOnce(limits)).as("no more after a long time").isEqualTo(rate);
  }

  @Test
  void allThreadsShareTheRequests() throws InterruptedException {
    UserLimits limits = limits(1000, 0);
    AtomicInteger taken = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        threads.execute(() -> taken.addAndGet(takenAtOnce(limits)));
      }
    }
    assertThat(taken).hasValue(1000);
  }

  @Test
  void bytesAreThoseOfAllRequestsUnderWay() {
    UserLimits limits = limits(0, BYTES);
    RequestBytes one = limits.newRequest();
    RequestBytes other = limits.newRequest();
    assertThat(one.take(BYTES - 1)).isTrue();
    assertThat(other.take(0)).as("a number that is not known yet").isTrue();
    assertThat(other.take(1)).isTrue();
    assertThat(limits.newRequest().take(0)).isFalse();
    assertThat(other.take(1)).isFalse();
    assertThat(other.isRejected()).isTrue();
    assertThat(one.isRejected()).isFalse();
    one.release();
    one.release();
    assertThat(limits.newRequest().take(BYTES)).as("one byte is in use").isFalse();
    assertThat(limits.newRequest().take(BYTES - 1)).isTrue();
  }

  @Test
  void aRequestThatIsAloneMayBeLarger() {
    UserLimits limits = limits(0, BYTES);
    RequestBytes alone = limits.newRequest();
    assertThat(alone.take(BYTES)).isTrue();
    assertThat(alone.take(BYTES)).as("a value of another replica").isTrue();
    assertThat(limits.newRequest().take(0)).isFalse();
    alone.release();
    assertThat(limits.newRequest().take(2 * BYTES)).isTrue();
  }

  @Test
  void allBytesComeBack() {
    Random random = new Random(Seeds.seed());
    UserLimits limits = limits(0, BYTES);
    List<RequestBytes> open = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      if (random.nextInt(3) == 0 && !open.isEmpty()) {
        open.remove(random.nextInt(open.size())).release();
      } else {
        RequestBytes bytes = limits.newRequest();
        bytes.take(random.nextInt((int) BYTES / 4));
        bytes.take(random.nextInt((int) BYTES / 4));
        open.add(bytes);
      }
    }
    open.forEach(RequestBytes::release);
    RequestBytes all = limits.newRequest();
    assertThat(all.take(1)).isTrue();
    assertThat(limits.newRequest().take(BYTES - 1)).isTrue();
  }

  @Test
  void withoutLimitsNothingIsCounted() {
    UserLimits limits = limits(0, 0);
    assertThat(limits.newRequest()).isSameAs(RequestBytes.UNLIMITED);
    assertThat(RequestBytes.UNLIMITED.take(Long.MAX_VALUE)).isTrue();
    assertThat(limits.takeRequest()).isTrue();
  }
}
