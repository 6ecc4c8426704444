package dev.kvorum.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** Who gives wrong credentials too often is not listened to for a while. */
class FailedAttemptsTest {
  private static final int RATE = 10;
  private static final int ADDRESSES_MAX = 16;

  private long nanos;
  private final FailedAttempts failures = new FailedAttempts(RATE, ADDRESSES_MAX, () -> nanos);

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private int failures(String text) {
    int counted = 0;
    while (!failures.isBlocked(address(text)) && counted <= 2 * RATE) {
      failures.failed(address(text));
      counted++;
    }
    return counted;
  }

  @Test
  void anAddressHasSoManyASecond() {
    assertThat(failures("192.0.2.1")).isEqualTo(RATE);
    assertThat(failures.isBlocked(address("192.0.2.2"))).as("another one").isFalse();
    nanos += 500_000_000;
    assertThat(failures("192.0.2.1")).isEqualTo(RATE / 2);
    nanos += 60_000_000_000L;
    assertThat(failures("192.0.2.1")).as("no more after a long time").isEqualTo(RATE);
  }

  @Test
  void aNetworkOfIpv6IsOneAddress() {
    assertThat(failures("2001:db8::1")).isEqualTo(RATE);
    assertThat(failures.isBlocked(address("2001:db8::2:3"))).isTrue();
    assertThat(failures.isBlocked(address("2001:db8:0:1::1"))).isFalse();
  }

  @Test
  void theAddressThatWasQuietForLongestIsForgotten() {
    assertThat(failures("192.0.2.1")).isEqualTo(RATE);
    for (int i = 0; i < ADDRESSES_MAX; i++) {
      failures.failed(address("198.51.100." + i));
    }
    assertThat(failures.isBlocked(address("192.0.2.1"))).isFalse();
  }
}
