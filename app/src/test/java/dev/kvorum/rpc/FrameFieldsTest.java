package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.data.Key;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.Topology;
import dev.kvorum.tracing.TraceContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FrameFieldsTest {
  private static final TraceContext TRACE = new TraceContext(1, 2, 3, true);
  private static final ReplicaRequest READ = new ReplicaRequest.Read(Key.of("k"), Detail.RECORD);
  private static final ReplicaRequest TRACED = READ.within(TRACE);
  private static final byte MARKED = FrameKind.READ | 0x40;

  private static ByteBuf written(FrameFields fields) {
    ByteBuf out = Unpooled.buffer();
    fields.write(out);
    return out;
  }

  private static ByteBuf block(ByteBuf fields) {
    return Unpooled.buffer().writeShort(fields.readableBytes()).writeBytes(fields);
  }

  @Test
  void aTraceIsAFieldForPeersThatReadFields() throws MalformedFrameException {
    FrameFields fields = FrameFields.of(TRACED, 4);
    assertThat(fields.marked(FrameKind.READ)).isEqualTo(MARKED);
    assertThat(FrameFields.kind(MARKED)).isEqualTo(FrameKind.READ);
    ByteBuf frame = written(fields).writeByte('k');
    assertThat(FrameFields.read(MARKED, frame)).isEqualTo(fields);
    assertThat(frame.readableBytes()).as("the body is left").isEqualTo(1);
    assertThat(fields.complete(READ)).isEqualTo(TRACED);
  }

  @Test
  void aRejectionNamesTheReleaseToPeersThatReadFields() throws MalformedFrameException {
    Release here = new Release("0.4.0", new ProtocolRange(6, 7));
    Objection protocol = new Objection(Objection.Reason.PROTOCOL, "");
    FrameFields fields =
        FrameFields.of(protocol, here, new Release("", new ProtocolRange(3, 4)), Set.of());
    byte marked = fields.marked(FrameKind.REJECTED);
    assertThat(FrameFields.read(marked, written(fields))).isEqualTo(fields);
    assertThat(fields.release()).isEqualTo(here);
    assertThat(FrameFields.of(protocol, here, new Release("", new ProtocolRange(3, 3)), Set.of()))
        .isSameAs(FrameFields.NONE);
    Objection other = new Objection(Objection.Reason.CLUSTER, "");
    assertThat(FrameFields.of(other, here, here, Set.of())).isSameAs(FrameFields.NONE);
  }

  @Test
  void framesWithoutFieldsHaveNotAByteMore() throws MalformedFrameException {
    for (FrameFields none :
        new FrameFields[] {FrameFields.of(READ, 4), FrameFields.of(TRACED, 3)}) {
      assertThat(none).isSameAs(FrameFields.NONE);
      assertThat(none.marked(FrameKind.READ)).isEqualTo(FrameKind.READ);
      assertThat(written(none).isReadable()).isFalse();
    }
    ByteBuf frame = Unpooled.buffer().writeByte('k');
    assertThat(FrameFields.read(FrameKind.READ, frame)).isSameAs(FrameFields.NONE);
    assertThat(frame.readableBytes()).isEqualTo(1);
  }

  @Test
  void aTopologyHasItsFeaturesInAField() throws MalformedFrameException {
    Topology plain = Wire.topology("kvorum", 3, "a", "b");
    Topology with = plain.with(Set.of(Feature.CONTENT_TYPE));
    assertThat(FrameFields.of(new TransferReply.Known(plain))).isSameAs(FrameFields.NONE);
    FrameFields fields = FrameFields.of(new TransferReply.Known(with));
    FrameFields read = FrameFields.read(MARKED, written(fields));
    assertThat(read.complete(new TransferReply.Known(plain)))
        .isEqualTo(new TransferReply.Known(with));
    FrameFields later = new FrameFields(null, null, List.of("content-type", "time-travel"));
    assertThatThrownBy(() -> later.complete(new TransferReply.Known(plain)))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("time-travel");
  }

  @Test
  void aNodeIsToldWhichFeaturesItLacks() {
    Objection lacks = new Objection(Objection.Reason.FEATURE, "why");
    Release peer = new Release("0.3.0", new ProtocolRange(3, 4));
    FrameFields fields = FrameFields.of(lacks, Release.CURRENT, peer, Feature.all());
    assertThat(fields.release()).isEqualTo(Release.CURRENT);
    assertThat(fields.features()).containsExactly("content-type", "reverse-scan");
    Release older = new Release("", new ProtocolRange(3, 3));
    assertThat(FrameFields.of(lacks, Release.CURRENT, older, Feature.all()))
        .isSameAs(FrameFields.NONE);
  }

  @Test
  void fieldsOfALaterReleaseAreSkipped() throws MalformedFrameException {
    ByteBuf fields = Unpooled.buffer();
    TaggedFields.write(250, fields, field -> field.writeZero(300));
    TaggedFields.write(1, fields, field -> field.writeLong(1).writeLong(2).writeLong(3));
    TaggedFields.write(251, fields, field -> {});
    assertThat(FrameFields.read(MARKED, block(fields)))
        .isEqualTo(new FrameFields(TRACE, null, List.of()));
    ByteBuf longer = Unpooled.buffer();
    TaggedFields.write(
        1, longer, field -> field.writeLong(1).writeLong(2).writeLong(3).writeInt(4));
    assertThat(FrameFields.read(MARKED, block(longer)))
        .isEqualTo(new FrameFields(TRACE, null, List.of()));
  }

  @Test
  void fieldsThatAreCutOffOrWrongAreMalformed() {
    ByteBuf whole = written(new FrameFields(TRACE, null, List.of()));
    for (int length = 0; length < whole.readableBytes(); length++) {
      assertMalformed(whole.copy(0, length));
    }
    ByteBuf innerTooLong = whole.copy();
    innerTooLong.setShort(Short.BYTES + 1, 25);
    assertMalformed(innerTooLong);
    ByteBuf zeros = Unpooled.buffer();
    TaggedFields.write(1, zeros, field -> field.writeZero(24));
    assertMalformed(block(zeros));
  }

  private static void assertMalformed(ByteBuf frame) {
    assertThatThrownBy(() -> FrameFields.read(MARKED, frame))
        .isInstanceOf(MalformedFrameException.class);
  }

  @Test
  void aTraceBothAsAFieldAndAroundTheRequestIsMalformed() {
    assertThatThrownBy(() -> new FrameFields(TRACE, null, List.of()).complete(TRACED))
        .isInstanceOf(MalformedFrameException.class);
  }
}
