package dev.kvorum.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Meters meters = new Meters(registry);

  @Test
  void classifiesOutcomesByWhoseErrorTheyAre() {
    meters.requests().ended(Operation.GET, "found", 200, 1);
    meters.requests().ended(Operation.GET, "not-found", 404, 1);
    meters.requests().ended(Operation.GET, "missing-id", 400, 1);
    meters.requests().ended(Operation.PUT, "quorum-not-reached", 504, 1);
    meters.requests().ended(Operation.PUT, RequestMeters.CANCELLED, 200, 1);

    assertThat(result("found")).isEqualTo("ok");
    assertThat(result("not-found")).isEqualTo("ok");
    assertThat(result("missing-id")).isEqualTo("rejected");
    assertThat(result("quorum-not-reached")).isEqualTo("failed");
    assertThat(result("cancelled")).isEqualTo("cancelled");
  }

  private String result(String outcome) {
    return String.valueOf(
        registry.get("kvorum.requests").tag("outcome", outcome).timer().getId().getTag("result"));
  }

  @Test
  void aPeersMetersGoWithTheLastWhoNeedsThem() {
    RpcMeters rpc = meters.rpc();
    PeerMeters known = rpc.open("kvorum-1");
    assertThat(rpc.open("kvorum-1")).isSameAs(known);
    known.asked();
    known.failed("unreachable");
    rpc.close("kvorum-1");
    assertThat(registry.get("kvorum.rpc.in.flight").gauge().value()).isEqualTo(1);

    rpc.close("kvorum-1");

    assertThat(registry.getMeters()).noneMatch(MetersTest::isOfThePeer);
    // What was under way fails now.
    known.failed("timeout");
    assertThat(registry.getMeters()).noneMatch(MetersTest::isOfThePeer);
  }

  private static boolean isOfThePeer(Meter meter) {
    return "kvorum-1".equals(meter.getId().getTag("peer"));
  }

  @Test
  void readsPolledMetersWhenAsked() {
    AtomicInteger files = new AtomicInteger(3);
    meters.show(PolledMeter.LEVEL_FILES, files::get, "level", "0");
    meters.show(PolledMeter.CACHE_HITS, files::get);
    files.set(5);
    // The object that a counter reads must stay reachable.
    System.gc();

    assertThat(registry.get("kvorum.store.level.files").gauge().value()).isEqualTo(5);
    assertThat(registry.get("kvorum.store.cache.hits").functionCounter().count()).isEqualTo(5);
  }
}
