package dev.kvorum.rpc;

import static dev.kvorum.rpc.Wire.A;
import static dev.kvorum.rpc.Wire.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RecordKind;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.topology.Feature;
import dev.kvorum.tracing.TraceContext;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code a} runs this release, {@code b} another one. */
class TwoReleasesTest {
  private static final Release BEFORE = new Release("", new ProtocolRange(3, 3));
  private static final Release NEXT = new Release("9.1.0", new ProtocolRange(4, 5));
  private static final Release AFTER_NEXT = new Release("9.2.0", new ProtocolRange(5, 6));

  private final Wire wire = new Wire();
  private final HandshakePolicy a = Wire.handshakes(Wire.member(A));

  @AfterEach
  void close() {
    wire.close();
  }

  /** The kind of the frame in which {@code a} sends a traced read to {@code b}. */
  private byte tracedRead(Release release) throws IOException {
    try (ServerSocket listening = RawPeer.listen()) {
      wire.pointTo(listening.getLocalPort());
      NettyTransport transport = wire.dial(a, Wire.settings(), wire.loop);
      try (RawPeer b = RawPeer.welcome(listening, Wire.member(B, release))) {
        wire.awaitConnected(transport);
        ReplicaRequest read = Wire.read("k").within(new TraceContext(1, 2, 3, true));
        wire.loop.execute(() -> transport.ask(B, read, 1, 10_000, reply -> {}));
        byte kind = FrameKind.PING;
        while (kind == FrameKind.PING) {
          kind = b.readFrame().kind();
        }
        return kind;
      }
    }
  }

  @Test
  void eachIsAskedAsItsReleaseReads() throws IOException {
    assertThat(tracedRead(BEFORE)).isEqualTo(FrameKind.TRACED);
    assertThat(a.releases().protocol(B)).hasValue(3);
  }

  @Test
  void theNextOneIsAskedInThisReleasesProtocol() throws IOException {
    assertThat(tracedRead(NEXT)).isEqualTo((byte) (FrameKind.READ | 0x40));
    assertThat(a.releases().protocol(B)).hasValue(4);
    assertThat(a.releases().of(B)).contains(NEXT);
  }

  @Test
  void fieldsOfARequestArrive() throws Exception {
    HeldStore held = new HeldStore();
    wire.serve(Wire.member(B, NEXT), held, Wire.settings());
    NettyTransport transport = wire.connect();
    ReplicaRequest read = Wire.read("k").within(new TraceContext(1, 2, 3, true));
    wire.loop.execute(() -> transport.ask(B, read, 1, 10_000, reply -> {}));
    await().until(() -> held.held.size() == 1);
  }

  @Test
  void aStrayProcessDoesNotHideTheReleaseOfTheConnectedOne() throws IOException {
    wire.serve(a, new MemoryStore(), Wire.settings());
    LocalMember b = Wire.member(B, NEXT);
    try (RawPeer connected = RawPeer.connect(wire.port())) {
      connected.send(FrameKind.HELLO, 0, b.greeting(A)::write);
      assertThat(connected.readFrame().kind()).isEqualTo(FrameKind.WELCOME);
      try (RawPeer stray = RawPeer.connect(wire.port())) {
        stray.send(FrameKind.HELLO, 0, Wire.member(B, AFTER_NEXT).greeting(A)::write);
        assertThat(FrameFields.kind(stray.readFrame().kind())).isEqualTo(FrameKind.REJECTED);
      }
      assertThat(a.releases().of(B)).contains(NEXT);
    }
  }

  private static final Release WITHOUT_FEATURES = new Release("9.0.0", Release.CURRENT.protocols());

  @Test
  void onceAFeatureIsActiveAPeerWithoutItIsCutOffAndRejected() {
    LocalMember b = Wire.member(B, WITHOUT_FEATURES);
    wire.serve(Wire.handshakes(b), new MemoryStore(), Wire.settings());
    NettyTransport transport = wire.dial(a, Wire.settings(), wire.loop);
    wire.awaitConnected(transport);

    a.self().features().activate(Set.of(Feature.CONTENT_TYPE));

    CompletableFuture<ReplicaReply> reply = wire.ask(transport, Wire.read("k"));
    assertThat(reply)
        .succeedsWithin(Wire.TIMEOUT)
        .isEqualTo(new ReplicaReply.Failed(RejectReason.UNREACHABLE));
    await().until(() -> !transport.isConnected(B));
    assertThat(a.objection(b.greeting(A)).map(Objection::reason))
        .contains(Objection.Reason.FEATURE);
  }

  @Test
  void aPeerThatConnectedIsCutOffTooAndLearnsWhatItLacks() {
    wire.serve(a, new MemoryStore(), Wire.settings());
    HandshakePolicy b = Wire.handshakes(Wire.member(B, WITHOUT_FEATURES));
    NettyTransport transport = wire.dial(b, Wire.settings(), wire.loop);
    await().until(() -> transport.isConnected(A));
    assertThat(b.releases().isIncompatible(A)).isFalse();

    a.self().features().activate(Set.of(Feature.CONTENT_TYPE));

    await().until(() -> b.releases().isIncompatible(A));
    assertThat(transport.isConnected(A)).isFalse();
  }

  @Test
  void aRecordIsNotSentToAPeerThatCannotReadIt() {
    LocalMember b = Wire.member(B, WITHOUT_FEATURES);
    wire.serve(Wire.handshakes(b), new MemoryStore(), Wire.settings());
    NettyTransport transport = wire.dial(a, Wire.settings(), wire.loop);
    wire.awaitConnected(transport);
    Versioned typed =
        Versioned.live(new Version(1, 2), RecordKind.TYPED_VALUE, Versioned.NEVER, 2, new byte[1]);
    ReplicaRequest write = new ReplicaRequest.Write(new Mutation(Key.of("k"), typed));

    CompletableFuture<ReplicaReply> reply = wire.ask(transport, write);
    assertThat(reply)
        .succeedsWithin(Wire.TIMEOUT)
        .isEqualTo(new ReplicaReply.Failed(RejectReason.UNREACHABLE));
    assertThat(transport.isConnected(B)).isTrue();
  }

  @Test
  void aProcessThatIsNotAdmittedDoesNotHideWhatTheConnectedOneLacks() {
    LocalMember old = Wire.member(B, WITHOUT_FEATURES);
    assertThat(a.enter(old.greeting(A), new FakeLink(true))).isEmpty();
    LocalMember stray = Wire.member(B, new ProcessId(99, 1), old.topology().get());
    Handshake hello = stray.greeting(A);
    assertThat(a.objection(hello)).isEmpty();
    assertThat(a.enter(hello, new FakeLink(true))).isPresent();
    assertThat(a.releases().of(B)).contains(WITHOUT_FEATURES);
  }

  /** A connection that nothing is sent on. */
  private record FakeLink(boolean isInbound) implements ProcessRegistry.Link {
    @Override
    public void fence(FenceNotice notice) {}

    @Override
    public void cutOff(String why) {}
  }

  @Test
  void aDemandHoldsUntilThePeerAcceptsThisNode() {
    Handshake hello = Wire.member(B, NEXT).greeting(A);
    FrameFields why = new FrameFields(null, NEXT, List.of("time-travel"));
    a.noteRejection(B, why);
    assertThat(a.releases().isIncompatible(B)).isTrue();
    assertThat(a.enter(hello, new FakeLink(true))).isEmpty();
    assertThat(a.releases().isIncompatible(B)).as("after a connection of the peer").isTrue();
    assertThat(a.enter(hello, new FakeLink(false))).isEmpty();
    assertThat(a.releases().isIncompatible(B)).as("after one of this node").isFalse();
  }

  @Test
  void theRejectedOneLearnsTheReleaseFromTheRejection() {
    HandshakePolicy b = Wire.handshakes(Wire.member(B, AFTER_NEXT));
    wire.serve(b, new MemoryStore(), Wire.settings());
    NettyTransport transport = wire.dial(a, Wire.settings(), wire.loop);
    await().until(() -> a.releases().isIncompatible(B));
    assertThat(a.releases().of(B)).contains(AFTER_NEXT);
    assertThat(b.releases().of(A)).contains(Release.CURRENT);
    assertThat(transport.isConnected(B)).isFalse();
    assertThat(b.releases().isIncompatible(A)).isTrue();
  }
}
