package dev.kvorum.rpc;

import dev.kvorum.replica.RecordSum;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes and decodes topologies and the requests and replies of transfers. Integers are
 * big-endian.
 */
final class TransferCodec {
  // The order is part of the protocol: never change it.
  private static final List<Phase> PHASES =
      List.of(Phase.STABLE, Phase.TRANSFERRING, Phase.SETTLING);
  private static final List<MemberState> STATES =
      List.of(
          MemberState.ACTIVE,
          MemberState.JOINING,
          MemberState.LEAVING,
          MemberState.MOVING,
          MemberState.REMOVING);

  private TransferCodec() {}

  static byte kindOf(TransferRequest request) {
    return switch (request) {
      case TransferRequest.AskTopology ask -> FrameKind.ASK_TOPOLOGY;
      case TransferRequest.CopyGained copy -> FrameKind.COPY_GAINED;
    };
  }

  static void write(TransferRequest request, ByteBuf out) {
    switch (request) {
      case TransferRequest.AskTopology ask -> {}
      case TransferRequest.CopyGained copy -> {
        writeText(copy.keeper().name(), out);
        out.writeLong(copy.epoch()).writeLong(copy.since());
        PageCodec.writeKey(copy.after(), out);
        write(copy.sent(), out);
      }
    }
  }

  static byte kindOf(TransferReply reply) {
    return switch (reply) {
      case TransferReply.Known known -> FrameKind.KNOWN;
      case TransferReply.Gained gained -> FrameKind.GAINED;
    };
  }

  static void write(TransferReply reply, ByteBuf out) {
    switch (reply) {
      case TransferReply.Known known -> write(known.topology(), out);
      case TransferReply.Gained gained -> {
        write(gained.sent(), out);
        PageCodec.write(new ReplicaReply.Page(gained.records(), gained.next()), out);
      }
    }
  }

  static TransferRequest readCopy(ByteBuf in) {
    return new TransferRequest.CopyGained(
        new MemberId(readText(in)),
        in.readLong(),
        in.readLong(),
        PageCodec.readKey(in),
        readSum(in));
  }

  static TransferReply readKnown(ByteBuf in) throws MalformedFrameException {
    return new TransferReply.Known(readTopology(in));
  }

  static TransferReply readGained(ByteBuf in) throws MalformedFrameException {
    RecordSum sent = readSum(in);
    ReplicaReply.Page page = PageCodec.readPage(in);
    return new TransferReply.Gained(page.records(), page.next(), sent);
  }

  private static void write(Topology topology, ByteBuf out) {
    writeText(topology.clusterId(), out);
    out.writeLong(topology.epoch()).writeByte(PHASES.indexOf(topology.phase()));
    for (Member member : topology.members()) {
      writeText(member.id().name(), out);
      writeText(member.zone(), out);
      out.writeByte(STATES.indexOf(member.state()));
      if (member.state() == MemberState.MOVING) {
        writeText(member.nextZone(), out);
      }
    }
  }

  private static Topology readTopology(ByteBuf in) throws MalformedFrameException {
    String clusterId = readText(in);
    long epoch = in.readLong();
    Phase phase = one(PHASES, in.readByte());
    List<Member> members = new ArrayList<>();
    while (in.isReadable()) {
      MemberId id = new MemberId(readText(in));
      String zone = readText(in);
      MemberState state = one(STATES, in.readByte());
      String nextZone = state == MemberState.MOVING ? readText(in) : zone;
      members.add(new Member(id, zone, state, nextZone));
    }
    return new Topology(clusterId, epoch, phase, members);
  }

  private static <T> T one(List<T> all, byte number) throws MalformedFrameException {
    if (number < 0 || number >= all.size()) {
      throw new MalformedFrameException("no phase or state has number " + number);
    }
    return all.get(number);
  }

  private static void write(RecordSum sum, ByteBuf out) {
    out.writeLong(sum.count()).writeLong(sum.digest());
  }

  private static RecordSum readSum(ByteBuf in) {
    return new RecordSum(in.readLong(), in.readLong());
  }

  private static void writeText(String text, ByteBuf out) {
    out.writeShort(ByteBufUtil.utf8Bytes(text)).writeCharSequence(text, StandardCharsets.UTF_8);
  }

  private static String readText(ByteBuf in) {
    return in.readString(in.readUnsignedShort(), StandardCharsets.UTF_8);
  }
}
