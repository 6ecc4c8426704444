package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.coordinator.CoordinatorSettings;
import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.data.RejectReason;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.Transport;
import dev.kvorum.rpc.MemoryHints;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.rpc.ScriptedTransport;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.virtualtime.VirtualLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LoopContextTest {
  private static final Duration TIMEOUT = Duration.ofMillis(100);

  private final MemberId self = new MemberId("n0");
  private final MemberId peer = new MemberId("n1");
  private final VirtualLoop loop = new VirtualLoop();
  private int ticks;

  /** A network that never answers, and whose housekeeping fails. */
  private final Transport broken =
      new ScriptedTransport() {
        @Override
        public void tick() {
          ticks++;
          if (ticks % 2 == 0) {
            throw new OutOfMemoryError("logged by Netty, in a test");
          }
          throw new IllegalStateException("a mistake");
        }
      };

  @Test
  void requestsEndInTimeThoughTheTransportFailsAtEveryTick() {
    List<Member> members =
        Stream.of(self, peer).map(id -> new Member(id, "", MemberState.ACTIVE)).toList();
    Topology topology = Topology.stable("c", 1, members);
    Layout layout = Layout.of(topology, SlotMap::of);
    HybridLogicalClock clock =
        new HybridLogicalClock(loop.wallClock(0), Duration.ofMillis(500), self.writer(1), 0);
    Meters meters = new Meters(new SimpleMeterRegistry());
    Replicas replicas =
        new Replicas(
            self,
            new LocalReplica(new MemoryStore(), clock, new CurrentTopology(topology)),
            broken,
            new MemoryHints(),
            loop,
            loop::nanoTime);
    Coordinator coordinator =
        new Coordinator(
            new CoordinatorSettings(3, TIMEOUT, 1, TIMEOUT),
            () -> layout,
            replicas,
            clock,
            loop,
            meters);
    new LoopContext(loop, broken, replicas, coordinator).start();
    List<ReplicaReply> replies = new ArrayList<>();
    replicas.ask(
        peer,
        new ReplicaRequest.Read(Key.of("k"), Detail.RECORD),
        loop.nanoTime() + TIMEOUT.toNanos(),
        replies::add);
    loop.advance(TIMEOUT.multipliedBy(2));
    assertThat(replies).containsExactly(new ReplicaReply.Failed(RejectReason.TIMED_OUT));
    assertThat(ticks).isGreaterThan(10);
  }
}
