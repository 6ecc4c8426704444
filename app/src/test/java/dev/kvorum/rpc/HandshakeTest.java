package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HandshakeTest {
  private static final MemberId A = new MemberId("a");
  private static final MemberId B = new MemberId("b");
  private static final Topology HERE = Wire.topology("kvorum", 1, "a", "b");

  private static Handshake hello(Topology topology, MemberId self, MemberId to, long incarnation) {
    return Handshake.of(Wire.member(self, new ProcessId(incarnation, 7), topology), to);
  }

  private static String objection(Handshake received) {
    return received.objection(Wire.member(B, HERE)).orElse("");
  }

  @Test
  void comesOutAsItWentIn() throws MalformedFrameException {
    Handshake hello = hello(Wire.topology("Küche", 9, "a", "b"), A, B, -5);
    ByteBuf frame = Unpooled.buffer();
    hello.write(frame);
    assertThat(Handshake.read(frame)).isEqualTo(hello);
    assertThat(frame.isReadable()).isFalse();
  }

  @Test
  void aMemberOfTheSameClusterThatMeansThisNodeIsWelcome() {
    assertThat(objection(hello(HERE, A, B, 1))).isEmpty();
  }

  @Test
  void anotherEpochIsWelcomeWhateverItsMembersAre() {
    assertThat(objection(hello(Wire.topology("kvorum", 2, "a", "b", "c"), A, B, 1))).isEmpty();
  }

  @Test
  void allOtherConnectionsGetTheReason() {
    Handshake fine = hello(HERE, A, B, 1);
    assertThat(objection(new Handshake(4, "kvorum", A, B, fine.process(), 1, fine.members(), 1)))
        .isEqualTo("protocol 4, this node uses 3");
    assertThat(objection(hello(Wire.topology("other", 1, "a", "b"), A, B, 1)))
        .isEqualTo("cluster 'other', this node belongs to 'kvorum'");
    assertThat(objection(hello(HERE, A, new MemberId("c"), 1)))
        .isEqualTo("it expects c, this node is b");
    assertThat(objection(hello(HERE, new MemberId("x"), B, 1)))
        .isEqualTo("it is not a member of a,b");
    assertThat(objection(hello(Wire.topology("kvorum", 1, "a", "b", "c"), A, B, 1)))
        .isEqualTo("its members are a,b,c, here they are a,b");
  }

  @Test
  void oneThatWouldGiveTheSameVersionsIsRefused() {
    long twin = (long) B.writer(1) - A.writer(0);
    assertThat(A.writer(twin)).isEqualTo(B.writer(1));
    assertThat(objection(hello(HERE, A, B, twin))).contains("an empty data directory");
  }

  @Test
  void oneOfTheFirstProtocolIsReadAndRefusedForIt() throws MalformedFrameException {
    Handshake hello = hello(HERE, A, B, 1);
    ByteBuf frame = Unpooled.buffer();
    hello.write(frame);
    frame.setInt(Integer.BYTES, 1).writerIndex(frame.writerIndex() - Long.BYTES - Integer.BYTES);
    assertThat(objection(Handshake.read(frame))).isEqualTo("protocol 1, this node uses 3");
  }

  @Test
  void onlyANewerEpochOfTheSameClusterIsNewer() {
    assertThat(hello(Wire.topology("kvorum", 2, "a", "b"), A, B, 1).isNewerThan(HERE)).isTrue();
    assertThat(hello(HERE, A, B, 1).isNewerThan(HERE)).isFalse();
    assertThat(hello(Wire.topology("other", 2, "a", "b"), A, B, 1).isNewerThan(HERE)).isFalse();
  }

  @Test
  void aStrangerOnThePortIsDetectedAtOnce() {
    ByteBuf http = Unpooled.copiedBuffer("GET / HTTP/1.1", StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> Handshake.read(http))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessage("not a Kvorum node");
  }
}
