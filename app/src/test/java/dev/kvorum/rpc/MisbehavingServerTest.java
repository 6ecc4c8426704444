package dev.kvorum.rpc;

import static dev.kvorum.rpc.Wire.A;
import static dev.kvorum.rpc.Wire.B;
import static dev.kvorum.rpc.Wire.TIMEOUT;
import static dev.kvorum.rpc.Wire.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How a node handles peers that listen but violate the protocol. */
class MisbehavingServerTest {
  private static final ReplicaReply UNREACHABLE = new ReplicaReply.Failed(RejectReason.UNREACHABLE);

  private final Wire wire = new Wire();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void listenToTheLog() {
    log.start();
    ((Logger) LoggerFactory.getLogger(Peer.class)).addAppender(log);
  }

  @AfterEach
  void close() {
    ((Logger) LoggerFactory.getLogger(Peer.class)).detachAppender(log);
    wire.close();
  }

  private void awaitFailure(NettyTransport transport, String reason) {
    await().atMost(TIMEOUT).until(() -> transport.isKnown(Wire.B));
    List<String> logged =
        List.copyOf(log.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
    assertThat(logged).anyMatch(line -> line.contains(reason));
  }

  @Test
  void givesUpOnAPeerThatAcceptsConnectionsAndStaysSilent() throws Exception {
    try (ServerSocket silent = RawPeer.listen()) {
      wire.pointTo(silent.getLocalPort());
      NettyTransport transport = wire.dial();
      RawPeer first = new RawPeer(silent.accept());
      awaitFailure(transport, "no handshake in time");
      assertThat(first.readFrame().kind()).isEqualTo(FrameKind.HELLO);
      assertThat(first.isClosedByPeer()).isTrue();
      assertThat(silent.accept()).as("the next attempt").isNotNull();
    }
  }

  @Test
  void oneOfAnotherClusterIsRejectedWithTheReason() {
    Topology other = Wire.topology("other", 1, "a", "b");
    wire.serve(Wire.member(B, other), new MemoryStore(), Wire.settings());
    awaitFailure(wire.dial(), "rejected: cluster 'kvorum', this node belongs to 'other'");
  }

  @Test
  void anotherMemberAtThisAddressIsRejectedWithTheReason() {
    Topology three = Wire.topology("kvorum", 1, "a", "b", "c");
    wire.serve(Wire.member(new MemberId("c"), three), new MemoryStore(), Wire.settings());
    NettyTransport transport = wire.dial(Wire.member(A, three), Wire.settings());
    awaitFailure(transport, "rejected: it expects b, this node is c");
  }

  @Test
  void oneThatSpeaksSomethingElseIsGivenUp() throws Exception {
    try (ServerSocket stranger = RawPeer.listen()) {
      wire.pointTo(stranger.getLocalPort());
      NettyTransport transport = wire.dial();
      RawPeer peer = new RawPeer(stranger.accept());
      peer.send(FrameKind.WELCOME, 0, out -> out.writeZero(40));
      awaitFailure(transport, "malformed frame: not a Kvorum node");
      assertThat(peer.readFrame().kind()).isEqualTo(FrameKind.HELLO);
      assertThat(peer.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void aReplyThatIsMalformedLeavesItsRequestUnreachableAtOnce() throws Exception {
    try (ServerSocket listening = RawPeer.listen()) {
      wire.pointTo(listening.getLocalPort());
      NettyTransport transport = wire.dial();
      RawPeer peer = RawPeer.welcome(listening);
      wire.awaitConnected(transport);
      CompletableFuture<ReplicaReply> other = wire.ask(transport, read("other"));
      CompletableFuture<ReplicaReply> reply = wire.ask(transport, read("k"));
      int call = 0;
      for (int requests = 0; requests < 2; ) {
        RawPeer.Frame frame = peer.readFrame();
        if (frame.kind() == FrameKind.READ) {
          requests++;
          call = frame.call();
        }
      }
      peer.send(FrameKind.FOUND, call, out -> out.writeByte(1));
      assertThat(reply).succeedsWithin(TIMEOUT).isEqualTo(UNREACHABLE);
      assertThat(other).succeedsWithin(TIMEOUT).isEqualTo(UNREACHABLE);
    }
  }

  /** Polls often: a peer that never answers a heartbeat is unsuspected for a short time only. */
  private void awaitTrusted(NettyTransport transport) {
    await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> wire.onLoop(() -> transport.isConnected(B) && !transport.isSuspect(B)));
  }

  @Test
  void oneThatFallsSilentIsSuspectAndLaterDropped() throws Exception {
    try (ServerSocket listening = RawPeer.listen()) {
      wire.pointTo(listening.getLocalPort());
      NettyTransport transport = wire.dial();
      RawPeer peer = RawPeer.welcome(listening);
      awaitTrusted(transport);
      CompletableFuture<ReplicaReply> reply = wire.ask(transport, read("k"));
      await()
          .atMost(TIMEOUT)
          .until(() -> wire.onLoop(() -> transport.isSuspect(B) && transport.isConnected(B)));
      await().atMost(TIMEOUT).until(() -> wire.onLoop(() -> !transport.isConnected(B)));
      assertThat(reply).as("a request on the silent connection").isNotDone();
      assertThat(reply).succeedsWithin(TIMEOUT).isEqualTo(UNREACHABLE);
      assertThat(peer.readFrame().kind()).isNotEqualTo(FrameKind.HELLO);
      RawPeer again = RawPeer.welcome(listening);
      awaitTrusted(transport);
      again.close();
    }
  }

  @Test
  void oneThatDoesNotReadIsSentNoMoreThanTheBound() throws Exception {
    try (ServerSocket listening = RawPeer.listen()) {
      wire.pointTo(listening.getLocalPort());
      NettyTransport transport = wire.dial(Wire.member(A), Wire.settings(1_000_000, 1 << 18));
      RawPeer peer = RawPeer.welcome(listening);
      wire.awaitConnected(transport);
      ReplicaRequest large =
          new ReplicaRequest.Write(
              new Mutation(
                  Key.of("k"),
                  Versioned.live(new Version(1, 1), Versioned.NEVER, 1, new byte[60_000])));
      int asked = 0;
      CompletableFuture<ReplicaReply> last = new CompletableFuture<>();
      // The operating system's buffers take some megabytes first.
      while (!last.isDone() && asked < 2000) {
        last = wire.ask(transport, large);
        wire.onLoop(() -> true);
        asked++;
      }
      assertThat(last).isCompletedWithValue(new ReplicaReply.Failed(RejectReason.OVERLOADED));
      peer.close();
    }
  }

  @Test
  void aConnectionThatIsMadeWhileTheNodeStopsIsClosed() throws Exception {
    try (ServerSocket listening = RawPeer.listen()) {
      wire.pointTo(listening.getLocalPort());
      NettyTransport transport = wire.dial();
      RawPeer peer = new RawPeer(listening.accept());
      assertThat(peer.readFrame().kind()).isEqualTo(FrameKind.HELLO);
      wire.loop.submit(transport::close).sync();
      peer.send(FrameKind.WELCOME, 0, Wire.member(B).greeting(A)::write);
      assertThat(peer.isClosedByPeer()).isTrue();
      assertThat(wire.onLoop(() -> transport.isConnected(B))).isFalse();
    }
  }
}
