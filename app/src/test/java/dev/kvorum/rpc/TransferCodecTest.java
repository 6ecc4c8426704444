package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.RecordSum;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TransferCodecTest {
  private static final Topology TOPOLOGY =
      new Topology(
          "c",
          9,
          Phase.TRANSFERRING,
          List.of(
              new Member(new MemberId("n0"), "Zürich", MemberState.ACTIVE),
              new Member(new MemberId("n1"), "", MemberState.JOINING),
              new Member(new MemberId("n2"), "a", MemberState.MOVING, "b"),
              new Member(new MemberId("n3"), "a", MemberState.REMOVING)));
  private static final Mutation RECORD =
      new Mutation(Key.of("k"), Versioned.live(new Version(7, 1), 0, 3, new byte[] {1, 2}));

  @Test
  void requestsAndRepliesArriveUnchanged() {
    TransferRequest copy =
        new TransferRequest.CopyGained(
            new MemberId("n1"), 9, 5, Optional.of(Key.of("k")), new RecordSum(2, -3));
    TransferReply page =
        new TransferReply.Gained(List.of(RECORD), Optional.empty(), RecordSum.NONE.plus(RECORD));
    assertThat(FrameBytes.carried(copy)).isEqualTo(copy);
    assertThat(FrameBytes.carried(TransferRequest.AskTopology.ASK_TOPOLOGY))
        .isEqualTo(TransferRequest.AskTopology.ASK_TOPOLOGY);
    assertThat(FrameBytes.carried(page)).isEqualTo(page);
    assertThat(FrameBytes.carried(new TransferReply.Known(TOPOLOGY)))
        .isEqualTo(new TransferReply.Known(TOPOLOGY));
  }

  @Test
  void aCutOrChangedFrameIsMalformedOrAnotherOneButNothingElse() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    ByteBuf whole = Unpooled.buffer();
    ReplicaCodec.write(new TransferReply.Known(TOPOLOGY), whole);
    for (int round = 0; round < 2000; round++) {
      ByteBuf broken = whole.copy(0, random.nextInt(whole.readableBytes()));
      if (broken.isReadable()) {
        broken.setByte(random.nextInt(broken.readableBytes()), random.nextInt(256));
      }
      try {
        assertThat(ReplicaCodec.readReply(FrameKind.KNOWN, broken)).isNotNull();
      } catch (MalformedFrameException e) {
        assertThat(e.getMessage()).as("seed %d", seed).isNotEmpty();
      }
    }
  }

  @Test
  void aPhaseThatIsNoneIsMalformed() {
    ByteBuf out = Unpooled.buffer();
    out.writeShort(1).writeByte('c').writeLong(1).writeByte(3);
    assertThatThrownBy(() -> ReplicaCodec.readReply(FrameKind.KNOWN, out))
        .isInstanceOf(MalformedFrameException.class);
  }

  @Test
  void aSumDependsOnEachKeyVersionAndChecksumButNotOnTheirOrder() {
    Mutation other = new Mutation(Key.of("l"), Versioned.tombstone(new Version(7, 1), 3));
    Mutation newer = new Mutation(Key.of("k"), Versioned.tombstone(new Version(8, 1), 3));
    RecordSum both = RecordSum.NONE.plus(RECORD).plus(other);
    assertThat(RecordSum.NONE.plus(other).plus(RECORD)).isEqualTo(both);
    assertThat(RecordSum.NONE.plus(newer).plus(other)).isNotEqualTo(both);
    assertThat(RecordSum.NONE.plus(RECORD)).isNotEqualTo(both);
    Mutation value =
        new Mutation(RECORD.key(), Versioned.live(new Version(7, 1), 0, 3, new byte[] {1, 3}));
    assertThat(RecordSum.NONE.plus(value).plus(other)).as("another value").isNotEqualTo(both);
    assertThat(RecordSum.NONE.plus(RECORD).plus(RECORD)).isNotEqualTo(both);
  }
}
