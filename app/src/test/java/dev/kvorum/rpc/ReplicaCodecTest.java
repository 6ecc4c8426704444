package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.TraceContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReplicaCodecTest {
  private static final List<RejectReason> REJECT_REASONS = List.of(RejectReason.values());

  private final long seed = Seeds.seed();
  private final Random random = new Random(seed);

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private Key randomKey() {
    return Key.ofBytes(bytes(random.nextInt(8) == 0 ? Key.BYTES_MAX : random.nextInt(1, 40)));
  }

  private Version randomVersion() {
    return new Version(random.nextLong() & Long.MAX_VALUE, random.nextInt());
  }

  private Versioned randomRecord() {
    int from = random.nextInt(1, Versioned.FROM_MAX + 1);
    if (random.nextInt(3) == 0) {
      return Versioned.tombstone(randomVersion(), from);
    }
    long expiry = random.nextBoolean() ? Versioned.NEVER : random.nextLong() & Long.MAX_VALUE;
    return Versioned.live(randomVersion(), expiry, from, bytes(random.nextInt(200)));
  }

  private RejectReason randomReason() {
    return REJECT_REASONS.get(random.nextInt(REJECT_REASONS.size()));
  }

  private ReplicaRequest randomRequest() {
    ReplicaRequest request = randomUntraced();
    return random.nextInt(4) == 0 ? request.within(randomTrace()) : request;
  }

  private TraceContext randomTrace() {
    return new TraceContext(random.nextLong(), random.nextLong(), random.nextLong() | 1, true);
  }

  private ReplicaRequest randomUntraced() {
    return switch (random.nextInt(4)) {
      case 0 -> new ReplicaRequest.Read(randomKey(), Detail.RECORD);
      case 1 -> new ReplicaRequest.Read(randomKey(), Detail.VERSION);
      case 2 -> new ReplicaRequest.PullHints(new MemberId("kvorum-" + random.nextInt(1000)));
      default -> new ReplicaRequest.Write(new Mutation(randomKey(), randomRecord()));
    };
  }

  private ReplicaReply randomReply() {
    return switch (random.nextInt(9)) {
      case 0 ->
          new ReplicaReply.ReadReply(new ReadResult.Found(randomRecord().sealed(randomKey())));
      case 1 -> new ReplicaReply.ReadReply(new ReadResult.FoundVersion(randomVersion()));
      case 2 -> new ReplicaReply.ReadReply(ReadResult.Absent.ABSENT);
      case 3 -> new ReplicaReply.ReadReply(new ReadResult.Unknown(randomReason()));
      case 4 -> ReplicaReply.WriteReply.STORED;
      case 5 -> new ReplicaReply.WriteReply(new WriteResult.Superseded(randomVersion()));
      case 6 -> new ReplicaReply.WriteReply(new WriteResult.Rejected(randomReason()));
      case 7 -> new ReplicaReply.HintsDelivered(random.nextInt(), random.nextLong());
      default -> new ReplicaReply.Failed(randomReason());
    };
  }

  @Test
  void requestsComeOutAsTheyWentIn() throws MalformedFrameException {
    for (int round = 0; round < 5000; round++) {
      ReplicaRequest request = randomRequest();
      ByteBuf frame = Unpooled.buffer();
      ReplicaCodec.write(request, frame);
      assertThat(ReplicaCodec.readRequest(ReplicaCodec.kindOf(request), frame))
          .as("seed %d", seed)
          .isEqualTo(request);
      assertThat(frame.isReadable()).as("seed %d, %s", seed, request).isFalse();
    }
  }

  @Test
  void repliesComeOutAsTheyWentIn() throws MalformedFrameException {
    for (int round = 0; round < 5000; round++) {
      ReplicaReply reply = randomReply();
      ByteBuf frame = Unpooled.buffer();
      ReplicaCodec.write(reply, frame);
      assertThat(ReplicaCodec.readReply(ReplicaCodec.kindOf(reply), frame))
          .as("seed %d", seed)
          .isEqualTo(reply);
      assertThat(frame.isReadable()).as("seed %d, %s", seed, reply).isFalse();
    }
  }

  @Test
  void noBytesBringAnythingButAMalformedFrame() {
    int[] rejected = {0};
    for (int round = 0; round < 100_000; round++) {
      boolean reply = random.nextBoolean();
      byte kind = (byte) (random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(16, 41));
      ByteBuf frame =
          random.nextBoolean() ? Unpooled.wrappedBuffer(bytes(random.nextInt(64))) : mutated(reply);
      rejected[0] += decode(reply, kind, frame) ? 0 : 1;
      assertThat(frame.refCnt()).as("seed %d", seed).isEqualTo(1);
    }
    assertThat(rejected[0]).as("seed %d, of 100000", seed).isBetween(1000, 99_000);
  }

  private ByteBuf mutated(boolean reply) {
    ByteBuf frame = Unpooled.buffer();
    if (reply) {
      ReplicaCodec.write(randomReply(), frame);
    } else {
      ReplicaCodec.write(randomRequest(), frame);
    }
    for (int i = random.nextInt(3); i > 0 && frame.isReadable(); i--) {
      frame.setByte(random.nextInt(frame.readableBytes()), random.nextInt());
    }
    return frame.slice(0, random.nextInt(frame.readableBytes() + 1));
  }

  private boolean decode(boolean reply, byte kind, ByteBuf frame) {
    try {
      Object decoded =
          reply ? ReplicaCodec.readReply(kind, frame) : ReplicaCodec.readRequest(kind, frame);
      assertThat(decoded).isNotNull();
      return true;
    } catch (MalformedFrameException e) {
      return false;
    } catch (RuntimeException e) {
      return fail("seed " + seed + ", kind " + kind, e);
    }
  }

  @Test
  void noHandshakeBringsAnythingButAMalformedFrame() {
    Handshake hello =
        Handshake.of(
            Wire.member(Wire.A, new ProcessId(7, 9), Wire.topology("c", 1, "a", "b")), Wire.B);
    int rejected = 0;
    for (int round = 0; round < 20_000; round++) {
      ByteBuf frame = Unpooled.buffer();
      hello.write(frame);
      frame.setByte(random.nextInt(frame.readableBytes()), random.nextInt());
      try {
        Handshake.read(frame.slice(0, random.nextInt(frame.readableBytes() + 1)));
      } catch (MalformedFrameException e) {
        rejected++;
      } catch (RuntimeException e) {
        fail("seed " + seed, e);
      }
    }
    assertThat(rejected).as("seed %d", seed).isPositive();
  }

  @Test
  void noFenceNoticeBringsAnythingButAMalformedFrame() {
    for (int round = 0; round < 2_000; round++) {
      byte[] bytes = bytes(random.nextInt(20));
      ByteBuf frame = Unpooled.wrappedBuffer(bytes);
      try {
        FenceNotice notice = FenceNotice.read(frame);
        ByteBuf again = Unpooled.buffer();
        notice.write(again);
        assertThat(again).as("seed %d", seed).isEqualTo(Unpooled.wrappedBuffer(bytes, 0, 17));
      } catch (MalformedFrameException | IndexOutOfBoundsException e) {
        assertThat(frame.refCnt()).isEqualTo(1);
      }
    }
  }

  @Test
  void aKeyMayBeAsLongAsTheContractAllowsAndNoLonger() {
    ByteBuf longest = Unpooled.wrappedBuffer(new byte[Key.BYTES_MAX]);
    ByteBuf tooLong = Unpooled.wrappedBuffer(new byte[Key.BYTES_MAX + 1]);
    assertThat(decode(false, FrameKind.READ, longest)).isTrue();
    assertThatThrownBy(() -> ReplicaCodec.readRequest(FrameKind.READ, tooLong))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("1 to 1024 bytes");
    assertThatThrownBy(() -> ReplicaCodec.readRequest(FrameKind.READ, Unpooled.EMPTY_BUFFER))
        .isInstanceOf(MalformedFrameException.class);
  }

  @Test
  void aTracedRequestIsTheUntracedOneBehindItsTrace() {
    ReplicaRequest read = new ReplicaRequest.Read(Key.of("k"), Detail.RECORD);
    ByteBuf frame = Unpooled.buffer();
    ReplicaCodec.write(read.within(new TraceContext(1, 2, 3, true)), frame);
    ByteBuf expected = Unpooled.buffer().writeLong(1).writeLong(2).writeLong(3);
    assertThat(frame).isEqualTo(expected.writeByte(FrameKind.READ).writeByte('k'));
    assertThat(read.within(null)).isSameAs(read);
    assertThat(read.within(new TraceContext(1, 2, 3, false))).isSameAs(read);
  }

  @Test
  void aTraceWithinATraceIsMalformedHoweverDeep() {
    ByteBuf deep = Unpooled.buffer();
    for (int i = 0; i < 100_000; i++) {
      deep.writeLong(1).writeLong(2).writeLong(3).writeByte(FrameKind.TRACED);
    }
    assertThatThrownBy(() -> ReplicaCodec.readRequest(FrameKind.TRACED, deep))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("a trace within a trace");
  }

  @Test
  void aTraceOfZerosOrWithoutARequestIsMalformed() {
    ByteBuf zeros = Unpooled.buffer().writeZero(24).writeByte(FrameKind.READ).writeByte('k');
    assertThat(decode(false, FrameKind.TRACED, zeros)).isFalse();
    ByteBuf noSpan = Unpooled.buffer().writeLong(1).writeLong(2).writeLong(0).writeByte(16);
    assertThat(decode(false, FrameKind.TRACED, noSpan.writeByte('k'))).isFalse();
    ByteBuf nothing = Unpooled.buffer().writeLong(1).writeLong(2).writeLong(3);
    assertThat(decode(false, FrameKind.TRACED, nothing)).isFalse();
    ByteBuf reply = Unpooled.buffer().writeLong(1).writeLong(2).writeLong(3);
    assertThat(decode(false, FrameKind.TRACED, reply.writeByte(FrameKind.ABSENT))).isFalse();
  }

  @Test
  void aReasonThatOnlyANewerPeerKnowsIsAFailureStill() throws MalformedFrameException {
    ByteBuf unknown = Unpooled.wrappedBuffer(new byte[] {(byte) 200});
    assertThat(ReplicaCodec.readReply(FrameKind.WRITE_REJECTED, unknown))
        .isEqualTo(
            new ReplicaReply.WriteReply(new WriteResult.Rejected(RejectReason.STORAGE_FAILED)));
  }

  @Test
  void aTombstoneWithAValueIsMalformed() {
    ByteBuf frame = Unpooled.buffer();
    ReplicaCodec.write(
        new ReplicaReply.ReadReply(
            new ReadResult.Found(Versioned.tombstone(new Version(1, 1), 3).sealed(Key.of("k")))),
        frame);
    frame.writeByte(1);
    assertThat(decode(true, FrameKind.FOUND, frame)).isFalse();
  }

  @Test
  void numbersOnTheWireNeverChange() {
    Map<RejectReason, Integer> numbers = new HashMap<>();
    for (RejectReason rejection : RejectReason.values()) {
      numbers.put(rejection, rejection.number());
    }
    assertThat(numbers)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry(RejectReason.OVERLOADED, 1),
                Map.entry(RejectReason.EXPIRED, 2),
                Map.entry(RejectReason.DISK_FULL, 3),
                Map.entry(RejectReason.CLOCK_AHEAD, 4),
                Map.entry(RejectReason.STORAGE_FAILED, 5),
                Map.entry(RejectReason.STALE_EPOCH, 6),
                Map.entry(RejectReason.UNREACHABLE, 7),
                Map.entry(RejectReason.TIMED_OUT, 8),
                Map.entry(RejectReason.REBUILDING, 9),
                Map.entry(RejectReason.TOO_OLD, 10),
                Map.entry(RejectReason.NOT_READY, 11),
                Map.entry(RejectReason.FENCED, 12),
                Map.entry(RejectReason.DATA_LOST, 13),
                Map.entry(RejectReason.CHECKSUM_MISMATCH, 14),
                Map.entry(RejectReason.CLOCK_NOT_READY, 15)));
    Set<Byte> kinds = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      kinds.add(ReplicaCodec.kindOf(randomReply()));
      kinds.add(ReplicaCodec.kindOf(randomRequest()));
    }
    assertThat(kinds)
        .containsExactlyInAnyOrder(
            (byte) 16, (byte) 17, (byte) 18, (byte) 19, (byte) 29, (byte) 32, (byte) 33, (byte) 34,
            (byte) 35, (byte) 36, (byte) 37, (byte) 38, (byte) 39, (byte) 40);
  }
}
