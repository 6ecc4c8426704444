package dev.kvorum.rpc;

import static dev.kvorum.rpc.Wire.A;
import static dev.kvorum.rpc.Wire.B;
import static dev.kvorum.rpc.Wire.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kvorum.metrics.Meters;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.security.PeerTls;
import dev.kvorum.security.TestCertificates;
import dev.kvorum.security.TlsSettings;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerTlsTest {
  private static final X509Bundle CA = TestCertificates.authority();
  private static final X509Bundle OTHER_CA = TestCertificates.authority();
  private static final Duration MONTH = Duration.ofDays(30);
  private static final ReplicaReply ABSENT = new ReplicaReply.ReadReply(ReadResult.Absent.ABSENT);

  private final Wire wire = new Wire();
  private final List<PeerTls> open = new ArrayList<>();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ProcessRegistry processesOfB = new ProcessRegistry(new Meters(registry).rpc());
  private @TempDir Path directory;
  private String connectionAge = "1h";

  @AfterEach
  void close() {
    wire.close();
    open.forEach(PeerTls::close);
  }

  /** TLS with a certificate of a member. */
  private PeerTls tls(String member, String mode, X509Bundle own, X509Bundle... trusted) {
    Path files = directory.resolve(member + open.size());
    try {
      TestCertificates.writeMember(files, member, own, trusted);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return start(member, mode, files);
  }

  private PeerTls start(String member, String mode, Path files) {
    PeerTls tls =
        PeerTls.start(
            TestSettings.of(
                TlsSettings.class,
                "dir=" + files,
                "peer=" + mode,
                "connection-age-max=" + connectionAge),
            "kvorum",
            member);
    open.add(tls);
    return tls;
  }

  private PeerTls tls(String member, String mode) {
    return mode.equals("off") ? Wire.PLAIN : tls(member, mode, certificate(member, MONTH), CA);
  }

  private static X509Bundle certificate(String member, Duration validity) {
    return TestCertificates.member(CA, "kvorum", member, validity);
  }

  private void serve(PeerTls tls) {
    serve(tls, new MemoryStore());
  }

  private void serve(PeerTls tls, Store store) {
    wire.tlsOfB = tls;
    HandshakePolicy policy =
        new HandshakePolicy(Wire.member(B), processesOfB, new Fence(), newer -> {});
    wire.serve(policy, store, Wire.settings());
  }

  private NettyTransport dial(PeerTls tls) {
    wire.tlsOfA = tls;
    return wire.dial();
  }

  private void assertServed(NettyTransport transport) {
    wire.awaitConnected(transport);
    assertThat(wire.ask(transport, Wire.read("k"))).succeedsWithin(TIMEOUT).isEqualTo(ABSENT);
  }

  private void awaitFailure(NettyTransport transport) {
    await().atMost(TIMEOUT).until(() -> wire.onLoop(() -> transport.isKnown(B)));
    assertThat(transport.isConnected(B)).isFalse();
  }

  private double rejectedAs(String reason) {
    return registry.get("kvorum.rpc.rejected").tag("reason", reason).counter().count();
  }

  @Test
  void membersWithTheirOwnCertificatesTalk() {
    serve(tls("b", "required"));
    assertServed(dial(tls("a", "required")));
    assertThat(wire.tlsOfB.port().failed()).isZero();
  }

  @Test
  void aMemberThatCallsItselfByAnotherNameFencesNobodyOut() {
    serve(tls("b", "required"));
    NettyTransport real = dial(tls("a", "required"));
    assertServed(real);
    wire.tlsOfA = tls("c", "required");
    LocalMember forged =
        Wire.member(A, new ProcessId(1, 1_000_000), Wire.topology("kvorum", 1, "a", "b"));
    awaitFailure(wire.dial(forged, Wire.settings()));
    assertThat(rejectedAs("identity")).isPositive();
    assertServed(real);
  }

  @Test
  void aListenerWithTheCertificateOfAnotherMemberIsNotTalkedTo() {
    serve(tls("c", "required"));
    awaitFailure(dial(tls("a", "required")));
    assertThat(processesOfB.isConnected(A)).isFalse();
  }

  @Test
  void aCertificateOfAnotherClusterProvesNothing() {
    X509Bundle other = TestCertificates.member(CA, "other", "a", MONTH);
    assertThatThrownBy(() -> tls("a", "required", other, CA))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "a.crt: its certificate is for kvorum://other/member/a, not for"
                + " kvorum://kvorum/member/a");
  }

  @Test
  void aCertificateThatItsPeersWouldNotTrustIsRejectedAtTheStart() {
    assertThatThrownBy(() -> tls("a", "required", certificate("a", MONTH), OTHER_CA))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("peers with this peer-ca.crt would not trust this node");
    X509Bundle ofClient = TestCertificates.issued(CA, MONTH);
    assertThatThrownBy(() -> tls("a", "required", ofClient, CA))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("its certificate is for no member");
  }

  @Test
  void aCertificateThatCannotBeUsedIsRejectedAtTheStart() {
    X509Bundle ofUnknown =
        TestCertificates.member(TestCertificates.authority(OTHER_CA), "kvorum", "a", MONTH);
    for (X509Bundle wrong :
        List.of(
            TestCertificates.serverOnly(CA, "kvorum", "a"),
            TestCertificates.tomorrow(CA, "kvorum", "a"),
            ofUnknown)) {
      assertThatThrownBy(() -> tls("a", "required", wrong, CA))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("peers with this peer-ca.crt would not trust this node");
    }
  }

  @Test
  void aCertificateOfACaBelowThatOfThePeersIsTrusted() {
    X509Bundle below = TestCertificates.authority(CA);
    serve(tls("b", "required"));
    assertServed(
        dial(tls("a", "required", TestCertificates.member(below, "kvorum", "a", MONTH), CA)));
  }

  @Test
  void aCertificateOfAnotherCaIsRejected() {
    serve(tls("b", "required"));
    X509Bundle foreign = TestCertificates.member(OTHER_CA, "kvorum", "a", MONTH);
    NettyTransport transport = dial(tls("a", "required", foreign, CA, OTHER_CA));
    await().atMost(TIMEOUT).until(() -> wire.tlsOfB.port().failed() > 0);
    awaitFailure(transport);
  }

  @Test
  void anExpiredCertificateThatIsNotNeededChangesNothing() throws IOException {
    serve(tls("b", "required"));
    tls("a", "required");
    Path files = directory.resolve("a1");
    Path chain = files.resolve("a.crt");
    Files.writeString(
        chain, Files.readString(chain) + TestCertificates.formerly(CA).getCertificatePEM());
    assertServed(dial(start("a", "required", files)));
  }

  @ParameterizedTest
  @CsvSource({"-1, true", "-6, true", "-8, false"})
  void anExpiredCertificateIsAcceptedForAWeek(int days, boolean isAccepted) {
    serve(tls("b", "required"));
    X509Bundle expired = certificate("a", Duration.ofDays(days));
    NettyTransport transport = dial(tls("a", "required", expired, CA));
    if (isAccepted) {
      assertServed(transport);
    } else {
      await().atMost(TIMEOUT).until(() -> wire.tlsOfB.port().failed() > 0);
      awaitFailure(transport);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "permissive, permissive, true, 0",
    "permissive, required,   true, 0",
    "required,   permissive, true, 0",
    "permissive, off,        true, 0",
    "off,        permissive, true, 1",
    "off,        required,   false, 0",
    "required,   off,        false, 0",
  })
  void plainConnectionsServeWhereBothEndsPermitThem(
      String ofA, String ofB, boolean isServed, int plain) {
    serve(tls("b", ofB));
    NettyTransport transport = dial(tls("a", ofA));
    if (isServed) {
      assertServed(transport);
      assertThat(wire.tlsOfB.plainConnections()).isEqualTo(plain);
    } else {
      awaitFailure(transport);
    }
  }

  @Test
  void aPermissiveMemberWhoseCertificateIsRejectedConnectsWithoutTls() {
    serve(tls("b", "permissive"));
    X509Bundle foreign = TestCertificates.member(OTHER_CA, "kvorum", "a", MONTH);
    assertServed(dial(tls("a", "permissive", foreign, CA, OTHER_CA)));
    assertThat(wire.tlsOfB.plainConnections()).isEqualTo(1);
  }

  @Test
  void aConnectionIsReplacedBesideRequestsThatWait() {
    connectionAge = "2s";
    HeldStore store = new HeldStore();
    serve(tls("b", "required"), store);
    NettyTransport transport = dial(tls("a", "required"));
    wire.awaitConnected(transport);
    CompletableFuture<ReplicaReply> first = wire.ask(transport, Wire.read("k"));
    await().atMost(TIMEOUT).until(() -> wire.seen.get() == 2);
    CompletableFuture<ReplicaReply> second = wire.ask(transport, Wire.read("k"));
    await().atMost(TIMEOUT).until(() -> store.held.size() == 2);
    store.held.forEach(held -> held.reply(ReadResult.Absent.ABSENT));
    assertThat(first).succeedsWithin(TIMEOUT).isEqualTo(ABSENT);
    assertThat(second).succeedsWithin(TIMEOUT).isEqualTo(ABSENT);
    // Not before the first one has ended.
    await().atMost(TIMEOUT).until(() -> wire.seen.get() == 3);
  }

  @Test
  void aConnectionThatItsPeerDoesNotReplaceIsClosed() {
    PeerTls patient = tls("a", "required");
    connectionAge = "1s";
    serve(tls("b", "required"));
    assertServed(dial(patient));
    await().atMost(TIMEOUT).until(() -> wire.seen.get() == 2);
  }

  @Test
  void bytesThatWaitForAHandshakeCountAsWaiting() {
    PeerTls tls = tls("a", "required");
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.pipeline().addLast(tls.dialling(channel.alloc()));
    OutboundBudget outbound = new OutboundBudget(800);
    FrameWriter writer = new FrameWriter(channel, outbound);
    writer.begin((byte) 1, 1).writeZero(200);
    writer.end();
    channel.runPendingTasks();
    assertThat(writer.isFull()).isTrue();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      out.release();
    }
    channel.finishAndReleaseAll();
    writer.close();
  }
}
