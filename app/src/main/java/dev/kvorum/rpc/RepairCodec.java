package dev.kvorum.rpc;

import dev.kvorum.data.KeyRange;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.topology.MemberId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Encodes and decodes the bodies of repair's requests and replies. Integers are big-endian. */
final class SyncCodec {
  private SyncCodec() {}

  static byte kindOf(SyncRequest request) {
    return switch (request) {
      case SyncRequest.AskStatus ask -> FrameKind.ASK_STATUS;
      case SyncRequest.Copy copy -> FrameKind.COPY;
      case SyncRequest.CompareDigests compare -> FrameKind.COMPARE_DIGESTS;
      case SyncRequest.WantLeaves want -> FrameKind.WANT_LEAVES;
      case SyncRequest.ListWanted list -> FrameKind.LIST_WANTED;
      case SyncRequest.Pulled pulled -> FrameKind.PULLED;
      case SyncRequest.AskCertain ask -> FrameKind.ASK_CERTAIN;
    };
  }

  static void write(SyncRequest request, ByteBuf out) {
    switch (request) {
      case SyncRequest.AskStatus ask -> {
        writeMember(ask.asker(), out);
        out.writeLong(ask.life());
      }
      case SyncRequest.Copy copy -> {
        writeMember(copy.keeper(), out);
        PageCodec.writeKey(copy.after(), out);
      }
      case SyncRequest.CompareDigests compare -> {
        writeMember(compare.puller(), out);
        out.writeLong(compare.cut()).writeByte(compare.level());
        writeNumbers(compare.nodes(), out);
      }
      case SyncRequest.WantLeaves want -> {
        writeMember(want.puller(), out);
        out.writeLong(want.cut()).writeByte(want.level());
        writeNumbers(want.parts(), out);
      }
      case SyncRequest.ListWanted list -> {
        writeMember(list.puller(), out);
        out.writeLong(list.cut());
        PageCodec.writeKey(list.after(), out);
      }
      case SyncRequest.Pulled pulled -> {
        writeMember(pulled.puller(), out);
        out.writeLong(pulled.cut());
      }
      case SyncRequest.AskCertain ask ->
          ask.ranges().forEach(range -> PageCodec.writeRange(range, out));
    }
  }

  static SyncRequest readRequest(byte kind, ByteBuf in) throws MalformedFrameException {
    return switch (kind) {
      case FrameKind.ASK_STATUS -> new SyncRequest.AskStatus(readMember(in), in.readLong());
      case FrameKind.COPY -> new SyncRequest.Copy(readMember(in), PageCodec.readKey(in));
      case FrameKind.COMPARE_DIGESTS ->
          new SyncRequest.CompareDigests(
              readMember(in), in.readLong(), in.readByte(), readNumbers(in));
      case FrameKind.WANT_LEAVES ->
          new SyncRequest.WantLeaves(readMember(in), in.readLong(), in.readByte(), readNumbers(in));
      case FrameKind.LIST_WANTED ->
          new SyncRequest.ListWanted(readMember(in), in.readLong(), PageCodec.readKey(in));
      case FrameKind.PULLED -> new SyncRequest.Pulled(readMember(in), in.readLong());
      case FrameKind.ASK_CERTAIN -> new SyncRequest.AskCertain(readRanges(in));
      default -> throw new MalformedFrameException("no request has kind " + kind);
    };
  }

  static byte kindOf(SyncReply reply) {
    return switch (reply) {
      case SyncReply.Status status -> FrameKind.STATUS;
      case SyncReply.Digests digests -> FrameKind.DIGESTS;
      case SyncReply.CutMoved moved -> FrameKind.CUT_MOVED;
      case SyncReply.Listed listed -> FrameKind.LISTED;
      case SyncReply.Done done -> FrameKind.DONE;
      case SyncReply.Certain certain -> FrameKind.CERTAIN;
    };
  }

  static void write(SyncReply reply, ByteBuf out) {
    switch (reply) {
      case SyncReply.Status status ->
          out.writeBoolean(status.blank())
              .writeBoolean(status.foundedTogether())
              .writeBoolean(status.rebuilding())
              .writeBoolean(status.salvaging())
              .writeBoolean(status.purgedWithoutAsker())
              .writeLong(status.removedUpTo())
              .writeLong(status.clock())
              .writeLong(status.life());
      case SyncReply.Digests digests -> {
        for (int digest : digests.digests()) {
          out.writeInt(digest);
        }
      }
      case SyncReply.CutMoved moved -> out.writeLong(moved.cut());
      case SyncReply.Listed listed -> HeldCodec.write(listed, out);
      case SyncReply.Done done -> {}
      case SyncReply.Certain certain -> certain.ranges().forEach(out::writeBoolean);
    }
  }

  static SyncReply readReply(byte kind, ByteBuf in) throws MalformedFrameException {
    return switch (kind) {
      case FrameKind.STATUS ->
          new SyncReply.Status(
              in.readBoolean(),
              in.readBoolean(),
              in.readBoolean(),
              in.readBoolean(),
              in.readBoolean(),
              in.readLong(),
              in.readLong(),
              in.readLong());
      case FrameKind.DIGESTS -> {
        int[] digests = new int[in.readableBytes() / Integer.BYTES];
        for (int i = 0; i < digests.length; i++) {
          digests[i] = in.readInt();
        }
        yield new SyncReply.Digests(digests);
      }
      case FrameKind.CUT_MOVED -> new SyncReply.CutMoved(in.readLong());
      case FrameKind.LISTED -> HeldCodec.read(in);
      case FrameKind.DONE -> SyncReply.Done.DONE;
      case FrameKind.CERTAIN -> new SyncReply.Certain(readBooleans(in));
      default -> throw new MalformedFrameException("no reply has kind " + kind);
    };
  }

  private static List<KeyRange> readRanges(ByteBuf in) {
    List<KeyRange> ranges = new ArrayList<>();
    while (in.isReadable()) {
      ranges.add(PageCodec.readRange(in));
    }
    return ranges;
  }

  private static List<Boolean> readBooleans(ByteBuf in) {
    List<Boolean> all = new ArrayList<>();
    while (in.isReadable()) {
      all.add(in.readBoolean());
    }
    return all;
  }

  private static void writeMember(MemberId member, ByteBuf out) {
    String name = member.name();
    out.writeByte(ByteBufUtil.utf8Bytes(name)).writeCharSequence(name, StandardCharsets.UTF_8);
  }

  private static MemberId readMember(ByteBuf in) {
    return new MemberId(in.readString(in.readUnsignedByte(), StandardCharsets.UTF_8));
  }

  private static void writeNumbers(int[] numbers, ByteBuf out) {
    out.writeInt(numbers.length);
    for (int number : numbers) {
      out.writeInt(number);
    }
  }

  private static int[] readNumbers(ByteBuf in) {
    int count = in.readInt();
    // Check before allocating memory for them.
    if (count < 0 || count > in.readableBytes() / Integer.BYTES) {
      throw new IndexOutOfBoundsException(count + " numbers in " + in.readableBytes() + " bytes");
    }
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = in.readInt();
    }
    return numbers;
  }
}
