package dev.kvorum.rpc;

import static dev.kvorum.rpc.Wire.A;
import static dev.kvorum.rpc.Wire.B;
import static dev.kvorum.rpc.Wire.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.metrics.Meters;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handshakes with another epoch than this node's. */
class GreetedEpochTest {
  private static final Topology OLD = Wire.topology("kvorum", 1, "a", "b");
  private static final Topology NEW = Wire.topology("kvorum", 2, "a", "b", "c");

  private final Wire wire = new Wire();
  private final List<MemberId> newer = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    wire.close();
  }

  private HandshakePolicy listening(LocalMember self) {
    ProcessRegistry processes = new ProcessRegistry(new Meters(new SimpleMeterRegistry()).rpc());
    return new HandshakePolicy(self, processes, new Fence(), newer::add);
  }

  @Test
  void aNewerEpochInTheAnswerToAConnectionIsNoted() {
    wire.serve(Wire.member(B, NEW), new MemoryStore(), Wire.settings());
    wire.awaitConnected(wire.dial(listening(Wire.member(A, OLD)), Wire.settings(), wire.loop));
    await().atMost(TIMEOUT).until(() -> newer.contains(B));
  }

  @Test
  void aNewerEpochOfAMemberThatConnectsIsNoted() throws Exception {
    HandshakePolicy here = listening(Wire.member(B, OLD));
    int port = wire.serve(here, new MemoryStore(), Wire.settings()).port();
    assertThat(RawPeer.hello(port, Wire.member(A, NEW))).isEqualTo(FrameKind.WELCOME);
    await().atMost(TIMEOUT).until(() -> newer.contains(A));
  }

  @Test
  void aNewerEpochOfAMemberThatOnlyItListsIsNotedThoughTheMemberIsRejected() throws Exception {
    HandshakePolicy here = listening(Wire.member(B, OLD));
    int port = wire.serve(here, new MemoryStore(), Wire.settings()).port();
    MemberId c = new MemberId("c");
    assertThat(RawPeer.hello(port, Wire.member(c, NEW))).isEqualTo(FrameKind.REJECTED);
    await().atMost(TIMEOUT).until(() -> newer.contains(c));
  }

  @Test
  void theSameOrAnOlderEpochIsNot() throws Exception {
    HandshakePolicy here = listening(Wire.member(B, NEW));
    int port = wire.serve(here, new MemoryStore(), Wire.settings()).port();
    RawPeer.hello(port, Wire.member(A, OLD));
    RawPeer.hello(port, Wire.member(A, NEW));
    assertThat(newer).isEmpty();
  }
}
