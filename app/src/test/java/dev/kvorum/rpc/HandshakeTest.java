package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.topology.Feature;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandshakeTest {
  private static final MemberId A = new MemberId("a");
  private static final MemberId B = new MemberId("b");
  private static final Topology HERE = Wire.topology("kvorum", 1, "a", "b");

  private static Handshake hello(Topology topology, MemberId self, MemberId to, long incarnation) {
    return Handshake.of(Wire.member(self, new ProcessId(incarnation, 7), topology), to);
  }

  private static String objection(Handshake received) {
    return HandshakePolicy.check(received, Wire.member(B, HERE), Set.of())
        .map(Objection::text)
        .orElse("");
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
  void oneThatWouldGiveTheSameVersionsIsRejected() {
    long twin = (long) B.writer(1) - A.writer(0);
    assertThat(A.writer(twin)).isEqualTo(B.writer(1));
    assertThat(objection(hello(HERE, A, B, twin))).contains("an empty data directory");
  }

  private static Handshake hello(Release release) {
    ProcessId process = new ProcessId(1, 7);
    return new Handshake(release, "kvorum", A, B, process, 1, HERE.names(), 1);
  }

  @ParameterizedTest
  @CsvSource({"1,3", "3,3", "3,4", "4,5", "1,9"})
  void aReleaseWithAVersionOfTheProtocolInCommonIsWelcome(int min, int max) {
    assertThat(objection(hello(new Release("0.9", new ProtocolRange(min, max))))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1,2", "5,6"})
  void aReleaseWithoutOneIsRejectedWithBothRanges(int min, int max) {
    Handshake hello = hello(new Release("0.9", new ProtocolRange(min, max)));
    assertThat(objection(hello))
        .startsWith("it runs 0.9 with protocol " + min + ".." + max + ", this node ")
        .contains(" with protocol 3..4; ");
    assertThat(HandshakePolicy.check(hello, Wire.member(B, HERE), Set.of()).map(Objection::reason))
        .contains(Objection.Reason.PROTOCOL);
  }

  @Test
  void aNodeOfTheFirstProtocolIsReadAndRejectedForIt() throws MalformedFrameException {
    ByteBuf frame = withoutFields(hello(HERE, A, B, 1));
    frame.setInt(Integer.BYTES, 1).writerIndex(frame.writerIndex() - Long.BYTES - Integer.BYTES);
    assertThat(objection(Handshake.read(frame)))
        .startsWith("it runs a release with protocol 1..1, this node ");
  }

  /** As a node of protocol 3 sends it. */
  private static ByteBuf withoutFields(Handshake hello) {
    ByteBuf frame = Unpooled.buffer();
    hello.write(frame);
    Release release = hello.release();
    int features = Feature.names(release.features()).length();
    int fields = 3 + Integer.BYTES + 3 + release.version().length() + 3 + features;
    return frame.writerIndex(frame.writerIndex() - fields);
  }

  @Test
  void aReleaseWithoutAnActiveFeatureIsRejectedForIt() throws MalformedFrameException {
    Handshake hello = hello(new Release("0.9", Release.CURRENT.protocols()));
    assertThat(objection(hello)).isEmpty();
    Objection objection =
        HandshakePolicy.check(hello, Wire.member(B, HERE), Set.of(Feature.CONTENT_TYPE))
            .orElseThrow();
    assertThat(objection.reason()).isEqualTo(Objection.Reason.FEATURE);
    assertThat(objection.text())
        .contains("0.9", "lacks the active feature content-type; run a release that has it");
    ByteBuf frame = Unpooled.buffer();
    hello(HERE, A, B, 1).write(frame);
    assertThat(HandshakePolicy.check(Handshake.read(frame), Wire.member(B, HERE), Feature.all()))
        .isEmpty();
  }

  @Test
  void aNodeWithoutARangeHasTheOneVersionThatItNames() throws MalformedFrameException {
    Handshake read = Handshake.read(withoutFields(hello(HERE, A, B, 1)));
    assertThat(read.release()).isEqualTo(new Release("", new ProtocolRange(3, 3)));
    assertThat(objection(read)).isEmpty();
  }

  @Test
  void fieldsOfALaterReleaseAreSkipped() throws MalformedFrameException {
    Handshake hello = hello(HERE, A, B, 1);
    ByteBuf frame = Unpooled.buffer();
    hello.write(frame);
    TaggedFields.write(200, frame, field -> field.writeLong(7));
    assertThat(Handshake.read(frame)).isEqualTo(hello);
  }

  @Test
  void aFieldThatIsCutOffIsMalformed() {
    ByteBuf frame = Unpooled.buffer();
    hello(HERE, A, B, 1).write(frame);
    frame.writeByte(200).writeShort(2).writeByte(1);
    assertThatThrownBy(() -> Handshake.read(frame)).isInstanceOf(MalformedFrameException.class);
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
