package dev.kvorum.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.topology.CurrentTopology;
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

  private static String objection(Handshake said) {
    return said.objection(new LocalMember(B, 1, new CurrentTopology(HERE))).orElse("");
  }

  @Test
  void comesOutAsItWentIn() throws MalformedFrameException {
    Handshake hello = Handshake.of(Wire.topology("Küche", 9, "a", "b"), A, B, -5);
    ByteBuf frame = Unpooled.buffer();
    hello.write(frame);
    assertThat(Handshake.read(frame)).isEqualTo(hello);
    assertThat(frame.isReadable()).isFalse();
  }

  @Test
  void aMemberOfTheSameClusterThatMeansThisNodeIsWelcome() {
    assertThat(objection(Handshake.of(HERE, A, B, 1))).isEmpty();
  }

  @Test
  void anotherEpochIsWelcomeWhateverItsMembersAre() {
    assertThat(objection(Handshake.of(Wire.topology("kvorum", 2, "a", "b", "c"), A, B, 1)))
        .isEmpty();
  }

  @Test
  void everybodyElseIsToldWhy() {
    Handshake fine = Handshake.of(HERE, A, B, 1);
    assertThat(objection(new Handshake(2, "kvorum", A, B, 1, 1, fine.members())))
        .isEqualTo("protocol 2, this node speaks 1");
    assertThat(objection(Handshake.of(Wire.topology("other", 1, "a", "b"), A, B, 1)))
        .isEqualTo("cluster 'other', this node belongs to 'kvorum'");
    assertThat(objection(Handshake.of(HERE, A, new MemberId("c"), 1)))
        .isEqualTo("it looks for c, this node is b");
    assertThat(objection(Handshake.of(HERE, new MemberId("x"), B, 1)))
        .isEqualTo("it is no member of a,b");
    assertThat(objection(Handshake.of(Wire.topology("kvorum", 1, "a", "b", "c"), A, B, 1)))
        .isEqualTo("its members are a,b,c, here they are a,b");
  }

  @Test
  void oneThatWouldGiveTheSameVersionsIsRefused() {
    long twin = (long) B.writer(1) - A.writer(0);
    assertThat(A.writer(twin)).isEqualTo(B.writer(1));
    assertThat(objection(Handshake.of(HERE, A, B, twin))).contains("an empty data directory");
  }

  @Test
  void aStrangerOnThePortIsToldApartAtOnce() {
    ByteBuf http = Unpooled.copiedBuffer("GET / HTTP/1.1", StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> Handshake.read(http))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessage("not a Kvorum node");
  }
}
