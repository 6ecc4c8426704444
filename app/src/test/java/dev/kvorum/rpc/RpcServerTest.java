package dev.kvorum.rpc;

import static dev.kvorum.rpc.Wire.A;
import static dev.kvorum.rpc.Wire.B;
import static dev.kvorum.rpc.Wire.TIMEOUT;
import static dev.kvorum.rpc.Wire.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.topology.MemberId;
import io.netty.buffer.Unpooled;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a node handles clients of its internal port, valid and invalid ones. */
class RpcServerTest {
  private static final byte[] KEY = {'k'};

  private final Wire wire = new Wire();
  private final HeldStore held = new HeldStore();

  @AfterEach
  void close() {
    wire.close();
  }

  @Test
  void aMalformedFrameClosesItsConnectionAndNothingElse() throws Exception {
    RpcServer server = wire.serve(held);
    NettyTransport transport = wire.connect();
    RawPeer bad = RawPeer.greet(server.port());
    bad.request(FrameKind.READ, 1, 1, out -> out.writeBytes(KEY));
    await().atMost(TIMEOUT).until(() -> held.held.size() == 1);
    assertThat(held.held.getFirst().waiter().isWaiting()).isTrue();
    bad.request((byte) 99, 2, 1, out -> {});
    assertThat(bad.isClosedByPeer()).isTrue();
    await().atMost(TIMEOUT).until(() -> !held.held.getFirst().waiter().isWaiting());
    held.held.getFirst().reply(ReadResult.Absent.ABSENT);
    var reply = wire.ask(transport, read("l"));
    await().atMost(TIMEOUT).until(() -> held.held.size() == 2);
    held.held.getLast().reply(ReadResult.Absent.ABSENT);
    assertThat(reply)
        .succeedsWithin(TIMEOUT)
        .isEqualTo(new ReplicaReply.ReadReply(ReadResult.Absent.ABSENT));
  }

  @Test
  void oneLifeOfAMemberIsServedAtATime() throws Exception {
    RpcServer server = wire.serve(new MemoryStore());
    RawPeer first = RawPeer.greet(server.port());
    LocalMember twin = Wire.member(A, new ProcessId(2, 1), Wire.member(A).topology().get());
    assertThat(RawPeer.hello(server.port(), twin)).isEqualTo(FrameKind.FENCED);
    RawPeer.greet(server.port()).close();
    first.close();
    await().atMost(TIMEOUT).until(() -> RawPeer.hello(server.port(), twin) == FrameKind.WELCOME);
  }

  @Test
  void frameAfterFrameOfGarbageOnlyEverClosesTheConnection() throws Exception {
    RpcServer server = wire.serve(new MemoryStore());
    NettyTransport transport = wire.connect();
    byte[][] bad = {
      {},
      {FrameKind.READ},
      {FrameKind.WRITE, 0, 0, 0, 1},
      {FrameKind.READ, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9},
      {FrameKind.WRITE, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9, 0, 9, 1},
    };
    for (byte[] frame : bad) {
      RawPeer peer = RawPeer.greet(server.port());
      peer.write(Unpooled.buffer().writeInt(frame.length).writeBytes(frame));
      assertThat(peer.isClosedByPeer()).isTrue();
    }
    assertThat(wire.ask(transport, read("k"))).succeedsWithin(TIMEOUT);
  }

  @Test
  void anOversizedFrameClosesTheConnection() throws Exception {
    RpcServer server = wire.serve(held);
    for (int length : new int[] {FrameReader.BYTES_MAX + 1, Integer.MAX_VALUE, -1}) {
      RawPeer peer = RawPeer.greet(server.port());
      peer.write(Unpooled.buffer().writeInt(length).writeZero(64));
      assertThat(peer.isClosedByPeer()).as("length %d", length).isTrue();
    }
  }

  @Test
  void closesASilentConnectionInTime() throws Exception {
    try (RawPeer mute = RawPeer.connect(wire.serve(held).port())) {
      assertThat(mute.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void whoFallsSilentIsClosedInTime() throws Exception {
    try (RawPeer gone = RawPeer.greet(wire.serve(held).port())) {
      assertThat(gone.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void aRecordForWhomeverTakesNothingIsNotSent() throws Exception {
    RpcSettings small = Wire.settings(10_000, 8 << 10);
    try (RawPeer slow = RawPeer.greet(wire.serve(Wire.member(B), held, small).port())) {
      for (int call = 1; call <= 3; call++) {
        slow.request(FrameKind.READ, call, 1, out -> out.writeBytes(KEY));
      }
      await().atMost(TIMEOUT).until(() -> held.held.size() == 3);
      ReadResult found =
          new ReadResult.Found(
              Versioned.live(new Version(1, 1), Versioned.NEVER, 3, new byte[2 << 10])
                  .sealed(Key.ofBytes(KEY)));
      // All in one turn of the loop: nothing leaves in between.
      held.held.getFirst().loop().execute(() -> held.held.forEach(it -> it.waiter().reply(found)));
      assertThat(reply(slow)).isInstanceOf(ReplicaReply.ReadReply.class);
      assertThat(reply(slow)).isEqualTo(new ReplicaReply.Failed(RejectReason.OVERLOADED));
      assertThat(reply(slow)).isEqualTo(new ReplicaReply.Failed(RejectReason.OVERLOADED));
    }
  }

  private static ReplicaReply reply(RawPeer peer) throws Exception {
    RawPeer.Frame frame = peer.readFrame();
    return ReplicaCodec.readReply(frame.kind(), frame.body());
  }

  @Test
  void nobodyIsServedBeforeTheHandshake() throws Exception {
    try (RawPeer eager = RawPeer.connect(wire.serve(held).port())) {
      eager.request(FrameKind.READ, 1, 1, out -> out.writeBytes(KEY));
      assertThat(eager.isClosedByPeer()).isTrue();
      assertThat(held.held).isEmpty();
    }
  }

  @Test
  void sendsTheReasonAndClosesARejectedConnection() throws Exception {
    try (RawPeer stranger = RawPeer.connect(wire.serve(held).port())) {
      LocalMember other = Wire.member(A, Wire.topology("other", 1, "a", "b"));
      stranger.send(FrameKind.HELLO, 0, other.greeting(B)::write);
      RawPeer.Frame answer = stranger.readFrame();
      assertThat(answer.kind()).isEqualTo(FrameKind.REJECTED);
      assertThat(answer.body().toString(StandardCharsets.UTF_8))
          .isEqualTo("cluster 'other', this node belongs to 'kvorum'");
      assertThat(stranger.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void aRequestOfAnOlderEpochIsNotServed() throws Exception {
    try (RawPeer old = RawPeer.greet(wire.serve(held).port())) {
      old.request(FrameKind.READ, 7, 0, out -> out.writeBytes(KEY));
      RawPeer.Frame answer = old.readFrame();
      assertThat(answer.call()).isEqualTo(7);
      assertThat(ReplicaCodec.readReply(answer.kind(), answer.body()))
          .isEqualTo(new ReplicaReply.Failed(RejectReason.STALE_EPOCH));
      assertThat(held.held).isEmpty();
    }
  }

  @Test
  void aSignOfLifeIsAnswered() throws Exception {
    try (RawPeer peer = RawPeer.greet(wire.serve(held).port())) {
      peer.send(FrameKind.PING, 3, out -> {});
      RawPeer.Frame answer = peer.readFrame();
      assertThat(answer.kind()).isEqualTo(FrameKind.PONG);
      assertThat(answer.call()).isEqualTo(3);
    }
  }

  @Test
  void moreConnectionsThanTheBoundAreRejected() throws Exception {
    RpcServer server = wire.serve(held);
    List<RawPeer> peers = new ArrayList<>();
    for (int i = 0; i < Wire.settings().connectionsMax(); i++) {
      peers.add(RawPeer.greet(server.port()));
    }
    try (RawPeer oneTooMany = RawPeer.connect(server.port())) {
      assertThat(oneTooMany.isClosedByPeer()).isTrue();
    }
    peers.getFirst().close();
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .until(() -> {
          peers.add(RawPeer.greet(server.port()));
          return true;
        });
    for (RawPeer peer : peers) {
      peer.close();
    }
  }

  @Test
  void aPortThatIsTakenIsNamedWithTheReason() {
    int taken = wire.serve(held).port();
    assertThatThrownBy(
            () -> wire.serve(taken, Wire.handshakes(Wire.member(B)), held, Wire.settings()))
        .isInstanceOf(UncheckedIOException.class)
        .cause()
        .isInstanceOf(IOException.class)
        .hasMessageContaining("port " + taken + " (kvorum.rpc.port) cannot be bound")
        .hasMessageContaining("in use");
  }

  @Test
  void theOwnerIsNotifiedOfEachHandshake() throws Exception {
    List<MemberId> seen = new CopyOnWriteArrayList<>();
    RpcServer server =
        new RpcServer(
            Wire.handshakes(Wire.member(B)),
            new LocalReplica(
                held,
                new HybridLogicalClock(InstantSource.system(), Duration.ofMillis(1), 1, 0),
                Wire.member(B).topology()),
            Wire.settings(),
            Wire.outbound(Wire.settings()),
            Wire.PLAIN,
            seen::add);
    server.listen(0, wire.group, NioServerSocketChannel.class);
    RawPeer.greet(server.port()).close();
    await().atMost(TIMEOUT).until(() -> seen.contains(A));
    server.close();
  }
}
