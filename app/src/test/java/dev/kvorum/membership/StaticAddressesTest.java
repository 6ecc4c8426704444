package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.topology.MemberId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StaticAddressesTest {
  private static final MemberId A = new MemberId("a");
  private static final MemberId B = new MemberId("b");
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final StaticAddresses addresses =
      new StaticAddresses(
          Map.of(
              A,
              InetSocketAddress.createUnresolved("::1", 7400),
              B,
              InetSocketAddress.createUnresolved("no-such-host.invalid", 7400)),
          new HostNameResolver());

  @AfterEach
  void close() {
    addresses.close();
  }

  private String failure(MemberId member) {
    return addresses
        .locate(member)
        .toCompletableFuture()
        .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .handle((found, failure) -> failure == null ? found.toString() : failure.getMessage())
        .join();
  }

  @Test
  void findsAddresses() {
    assertThat(addresses.locate(A))
        .succeedsWithin(TIMEOUT)
        .satisfies(found -> {
          assertThat(found.isUnresolved()).isFalse();
          assertThat(found.getPort()).isEqualTo(7400);
        });
  }

  @Test
  void saysWhichHostIsNotKnown() {
    assertThat(failure(B)).isEqualTo("host no-such-host.invalid is not known");
  }

  @Test
  void saysWhoHasNoAddress() {
    assertThat(failure(new MemberId("c"))).contains("c has no address");
  }
}
