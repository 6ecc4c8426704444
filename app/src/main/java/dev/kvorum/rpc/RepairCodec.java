package dev.kvorum.rpc;

import dev.kvorum.data.KeyRange;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.topology.MemberId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Encodes and decodes the bodies of repair's requests and replies. Integers are big-endian. */
final class RepairCodec {
  private RepairCodec() {}

  static byte kindOf(RepairRequest request) {
    return switch (request) {
      case RepairRequest.AskStatus ask -> FrameKind.ASK_STATUS;
      case RepairRequest.Copy copy -> FrameKind.COPY;
      case RepairRequest.CompareDigests compare -> FrameKind.COMPARE_DIGESTS;
      case RepairRequest.WantLeaves want -> FrameKind.WANT_LEAVES;
      case RepairRequest.ListWanted list -> FrameKind.LIST_WANTED;
      case RepairRequest.Pulled pulled -> FrameKind.PULLED;
      case RepairRequest.AskCertain ask -> FrameKind.ASK_CERTAIN;
    };
  }

  static void write(RepairRequest request, ByteBuf out) {
    switch (request) {
      case RepairRequest.AskStatus ask -> {
        writeMember(ask.asker(), out);
        out.writeLong(ask.life());
      }
      case RepairRequest.Copy copy -> {
        writeMember(copy.keeper(), out);
        PageCodec.writeKey(copy.after(), out);
      }
      case RepairRequest.CompareDigests compare -> {
        writeMember(compare.puller(), out);
        out.writeLong(compare.cut()).writeByte(compare.level());
        writeNumbers(compare.nodes(), out);
      }
      case RepairRequest.WantLeaves want -> {
        writeMember(want.puller(), out);
        out.writeLong(want.cut()).writeByte(want.level());
        writeNumbers(want.parts(), out);
      }
      case RepairRequest.ListWanted list -> {
        writeMember(list.puller(), out);
        out.writeLong(list.cut());
        PageCodec.writeKey(list.after(), out);
      }
      case RepairRequest.Pulled pulled -> {
        writeMember(pulled.puller(), out);
        out.writeLong(pulled.cut());
      }
      case RepairRequest.AskCertain ask ->
          ask.ranges().forEach(range -> PageCodec.writeRange(range, out));
    }
  }

  static RepairRequest readRequest(byte kind, ByteBuf in) throws MalformedFrameException {
    return switch (kind) {
      case FrameKind.ASK_STATUS -> new RepairRequest.AskStatus(readMember(in), in.readLong());
      case FrameKind.COPY -> new RepairRequest.Copy(readMember(in), PageCodec.readKey(in));
      case FrameKind.COMPARE_DIGESTS ->
          new RepairRequest.CompareDigests(
              readMember(in), in.readLong(), in.readByte(), readNumbers(in));
      case FrameKind.WANT_LEAVES ->
          new RepairRequest.WantLeaves(
              readMember(in), in.readLong(), in.readByte(), readNumbers(in));
      case FrameKind.LIST_WANTED ->
          new RepairRequest.ListWanted(readMember(in), in.readLong(), PageCodec.readKey(in));
      case FrameKind.PULLED -> new RepairRequest.Pulled(readMember(in), in.readLong());
      case FrameKind.ASK_CERTAIN -> new RepairRequest.AskCertain(readRanges(in));
      default -> throw new MalformedFrameException("no request has kind " + kind);
    };
  }

  static byte kindOf(RepairReply reply) {
    return switch (reply) {
      case RepairReply.Status status -> FrameKind.STATUS;
      case RepairReply.Digests digests -> FrameKind.DIGESTS;
      case RepairReply.CutMoved moved -> FrameKind.CUT_MOVED;
      case RepairReply.Listed listed -> FrameKind.LISTED;
      case RepairReply.Done done -> FrameKind.DONE;
      case RepairReply.Certain certain -> FrameKind.CERTAIN;
    };
  }

  static void write(RepairReply reply, ByteBuf out) {
    switch (reply) {
      case RepairReply.Status status ->
          out.writeBoolean(status.blank())
              .writeBoolean(status.foundedTogether())
              .writeBoolean(status.rebuilding())
              .writeBoolean(status.salvaging())
              .writeBoolean(status.purgedWithoutAsker())
              .writeLong(status.purgedUpTo())
              .writeLong(status.clock())
              .writeLong(status.life());
      case RepairReply.Digests digests -> {
        for (int digest : digests.digests()) {
          out.writeInt(digest);
        }
      }
      case RepairReply.CutMoved moved -> out.writeLong(moved.cut());
      case RepairReply.Listed listed -> HeldCodec.write(listed, out);
      case RepairReply.Done done -> {}
      case RepairReply.Certain certain -> certain.ranges().forEach(out::writeBoolean);
    }
  }

  static RepairReply readReply(byte kind, ByteBuf in) throws MalformedFrameException {
    return switch (kind) {
      case FrameKind.STATUS ->
          new RepairReply.Status(
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
        yield new RepairReply.Digests(digests);
      }
      case FrameKind.CUT_MOVED -> new RepairReply.CutMoved(in.readLong());
      case FrameKind.LISTED -> HeldCodec.read(in);
      case FrameKind.DONE -> RepairReply.Done.DONE;
      case FrameKind.CERTAIN -> new RepairReply.Certain(readBooleans(in));
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
