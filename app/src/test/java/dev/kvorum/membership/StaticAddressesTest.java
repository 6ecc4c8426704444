package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.topology.MemberId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StaticAddressesTest {
  private static final MemberId A = new MemberId("a");
  private static final MemberId B = new MemberId("b");
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<Runnable> background = new ArrayList<>();
  private final StaticAddresses addresses =
      new StaticAddresses(
          Map.of(
              A,
              InetSocketAddress.createUnresolved("::1", 7400),
              B,
              InetSocketAddress.createUnresolved("no-such-host.invalid", 7400)),
          background::add);

  private CompletableFuture<InetSocketAddress> locate(MemberId member) {
    CompletableFuture<InetSocketAddress> located = addresses.locate(member).toCompletableFuture();
    assertThat(located).as("resolved by the caller").isNotDone();
    background.removeFirst().run();
    return located;
  }

  private String failure(MemberId member) {
    return locate(member)
        .handle((found, failure) -> failure == null ? found.toString() : failure.getMessage())
        .join();
  }

  @Test
  void resolvesAwayFromTheCaller() {
    assertThat(locate(A))
        .succeedsWithin(PATIENCE)
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
