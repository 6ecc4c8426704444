package dev.kvorum.rpc;

import static dev.kvorum.rpc.Wire.A;
import static dev.kvorum.rpc.Wire.B;
import static dev.kvorum.rpc.Wire.TIMEOUT;
import static dev.kvorum.rpc.Wire.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.data.RejectReason;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.topology.Topology;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two processes that are both member {@code b}, met by a node with two event loops. */
class FencingTest {
  private static final Topology TOPOLOGY = Wire.topology("kvorum", 1, "a", "b");
  private static final ProcessId OLD = new ProcessId(7, 10);
  private static final ProcessId NEW = new ProcessId(7, 11);
  private static final ProcessId OTHER_DISK = new ProcessId(8, 12);

  private final Wire wire = new Wire();
  private final EventLoop secondLoop = wire.group.next();
  private final HandshakePolicy node = Wire.handshakes(Wire.member(A));
  private final HeldStore held = new HeldStore();

  @AfterEach
  void close() {
    wire.close();
  }

  private static HandshakePolicy process(ProcessId id) {
    return Wire.handshakes(Wire.member(B, id, TOPOLOGY));
  }

  /** From now on {@code b} is found where this process listens. */
  private int serve(HandshakePolicy process) {
    return wire.serve(process, held, Wire.settings()).port();
  }

  private NettyTransport dial(EventLoop loop) {
    return wire.dial(node, Wire.settings(), loop);
  }

  @Test
  void theSecondLoopDoesNotUseTheOlderProcessWhileTheFirstUsesTheNewer() {
    HandshakePolicy old = process(OLD);
    int oldPort = serve(old);
    serve(process(NEW));
    wire.awaitConnected(dial(wire.loop));
    wire.pointTo(oldPort);
    NettyTransport second = dial(secondLoop);
    await().atMost(TIMEOUT).until(() -> old.fence().isSuperseded());
    await().atMost(TIMEOUT).until(() -> second.isKnown(B));
    assertThat(second.isConnected(B)).isFalse();
  }

  @Test
  void theNewerProcessOnOneLoopClosesTheConnectionToTheOlderOneOnTheOther() {
    HandshakePolicy old = process(OLD);
    serve(old);
    NettyTransport first = dial(wire.loop);
    wire.awaitConnected(first);
    CompletableFuture<ReplicaReply> waiting = wire.ask(first, read("k"));
    await().atMost(TIMEOUT).until(() -> held.held.size() == 1);
    serve(process(NEW));
    NettyTransport second = dial(secondLoop);
    assertThat(waiting)
        .succeedsWithin(TIMEOUT)
        .isEqualTo(new ReplicaReply.Failed(RejectReason.UNREACHABLE));
    await().atMost(TIMEOUT).until(() -> old.fence().isSuperseded());
    await().atMost(TIMEOUT).until(() -> first.isConnected(B) && second.isConnected(B));
  }

  @Test
  void aNewerProcessThatConnectsClosesTheConnectionMadeToTheOlderOne() throws Exception {
    HandshakePolicy old = process(OLD);
    serve(old);
    NettyTransport transport = dial(wire.loop);
    wire.awaitConnected(transport);
    int port = wire.serve(node, held, Wire.settings()).port();
    wire.pointTo(1);
    try (RawPeer newer = RawPeer.connect(port)) {
      LocalMember member = Wire.member(B, NEW, TOPOLOGY);
      newer.send(FrameKind.HELLO, 0, member.greeting(A)::write);
      assertThat(newer.readFrame().kind()).isEqualTo(FrameKind.WELCOME);
      await().atMost(TIMEOUT).until(() -> !transport.isConnected(B));
      await().atMost(TIMEOUT).until(() -> old.fence().isSuperseded());
    }
  }

  @Test
  void anOlderProcessThatConnectsIsInformedThatItIsSuperseded() throws Exception {
    serve(process(NEW));
    wire.awaitConnected(dial(wire.loop));
    int port = wire.serve(node, held, Wire.settings()).port();
    try (RawPeer older = RawPeer.connect(port)) {
      older.send(FrameKind.HELLO, 0, Wire.member(B, OLD, TOPOLOGY).greeting(A)::write);
      RawPeer.Frame answer = older.readFrame();
      assertThat(answer.kind()).isEqualTo(FrameKind.FENCED);
      assertThat(FenceNotice.read(answer.body()))
          .isEqualTo(new FenceNotice(FenceNotice.Reason.SUPERSEDED, NEW));
      assertThat(older.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void aProcessOnAnotherDiskIsRejectedWhileThisNodeIsConnectedToTheFirst() throws Exception {
    serve(process(OLD));
    wire.awaitConnected(dial(wire.loop));
    int port = wire.serve(node, held, Wire.settings()).port();
    LocalMember other = Wire.member(B, OTHER_DISK, TOPOLOGY);
    try (RawPeer twin = RawPeer.connect(port)) {
      twin.send(FrameKind.HELLO, 0, other.greeting(A)::write);
      RawPeer.Frame answer = twin.readFrame();
      assertThat(answer.kind()).isEqualTo(FrameKind.FENCED);
      assertThat(FenceNotice.read(answer.body()))
          .isEqualTo(new FenceNotice(FenceNotice.Reason.DUPLICATE, OLD));
    }
  }

  @Test
  void aProcessThatIsRejectedServesNobodyUntilTheOtherOneIsGone() throws Exception {
    HandshakePolicy twin = process(OTHER_DISK);
    int twinPort = serve(twin);
    try (RawPeer reader = RawPeer.connect(twinPort)) {
      reader.send(FrameKind.HELLO, 0, Wire.member(A).greeting(B)::write);
      assertThat(reader.readFrame().kind()).isEqualTo(FrameKind.WELCOME);
      HandshakePolicy first = process(OLD);
      RpcServer firstServer = wire.serve(first, held, Wire.settings());
      wire.awaitConnected(dial(wire.loop));
      wire.pointTo(twinPort);
      NettyTransport second = dial(secondLoop);
      await().atMost(TIMEOUT).until(() -> twin.fence().isRaised());
      reader.request(FrameKind.READ, 1, 1, out -> out.writeByte('k'));
      RawPeer.Frame answer = reader.readFrame();
      assertThat(ReplicaCodec.readReply(answer.kind(), answer.body()))
          .isEqualTo(ReplicaReply.FENCED);
      firstServer.close();
      // Only the twin remains, and the node accepts it when it connects.
      await().atMost(TIMEOUT).until(() -> second.isConnected(B));
    }
  }

  /** Behind a cut, that member may still confirm writes together with the first process. */
  @Test
  void aProcessStaysFencedWhileAMemberThatRejectedItCannotBeReached() {
    serve(process(OLD));
    wire.awaitConnected(dial(wire.loop));
    RpcServer server = wire.serve(node, held, Wire.settings());
    HandshakePolicy twin = process(OTHER_DISK);
    wire.dial(twin, Wire.settings(), secondLoop);
    await().atMost(TIMEOUT).until(() -> twin.fence().isRaised());
    server.close();
    await().atMost(TIMEOUT).until(() -> twin.fence().unreached().contains(A));
    assertThat(twin.fence().isRaised()).isTrue();
    assertThat(twin.fence().rejecting()).containsExactly(A);

    HandshakePolicy restarted = Wire.handshakes(Wire.member(A, new ProcessId(1, 2), TOPOLOGY));
    wire.serve(restarted, held, Wire.settings());
    await().atMost(TIMEOUT).until(() -> !twin.fence().isRaised());
  }
}
