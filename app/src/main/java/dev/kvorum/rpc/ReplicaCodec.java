package dev.kvorum.rpc;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RecordKind;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.TraceContext;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Encodes and decodes the bodies of requests and replies; for the frame's head see {@link
 * FrameWriter}. Integers are big-endian.
 */
final class ReplicaCodec {
  private static final RejectReason[] REJECT_REASONS = RejectReason.values();
  private static final RejectReason UNKNOWN_REASON = RejectReason.STORAGE_FAILED;

  private ReplicaCodec() {}

  static byte kindOf(ReplicaRequest request) {
    return switch (request) {
      case ReplicaRequest.Read read ->
          read.detail() == Detail.RECORD ? FrameKind.READ : FrameKind.READ_VERSION;
      case ReplicaRequest.Write write -> FrameKind.WRITE;
      case ReplicaRequest.PullHints pull -> FrameKind.PULL_HINTS;
      case ReplicaRequest.Scan scan ->
          switch (scan.order()) {
            case ASCENDING -> FrameKind.SCAN;
            case DESCENDING -> FrameKind.SCAN_DESCENDING;
          };
      case ReplicaRequest.Traced traced -> FrameKind.TRACED;
      case RepairRequest repair -> RepairCodec.kindOf(repair);
      case TransferRequest transfer -> TransferCodec.kindOf(transfer);
    };
  }

  static void write(ReplicaRequest request, ByteBuf out) {
    switch (request) {
      case ReplicaRequest.Read read -> out.writeBytes(read.key().bytes());
      case ReplicaRequest.Write write -> {
        byte[] key = write.mutation().key().bytes();
        out.writeShort(key.length).writeBytes(key);
        writeRecord(write.mutation().record(), out);
      }
      case ReplicaRequest.PullHints pull ->
          out.writeBytes(pull.target().name().getBytes(StandardCharsets.UTF_8));
      case ReplicaRequest.Scan scan -> PageCodec.write(scan, out);
      case ReplicaRequest.Traced traced -> {
        TraceContext parent = traced.parent();
        out.writeLong(parent.traceIdHigh()).writeLong(parent.traceIdLow());
        out.writeLong(parent.spanId()).writeByte(kindOf(traced.request()));
        write(traced.request(), out);
      }
      case RepairRequest repair -> RepairCodec.write(repair, out);
      case TransferRequest transfer -> TransferCodec.write(transfer, out);
    }
  }

  static ReplicaRequest readRequest(byte kind, ByteBuf in) throws MalformedFrameException {
    try {
      return switch (kind) {
        case FrameKind.READ -> new ReplicaRequest.Read(readKey(in, rest(in)), Detail.RECORD);
        case FrameKind.READ_VERSION ->
            new ReplicaRequest.Read(readKey(in, rest(in)), Detail.VERSION);
        case FrameKind.WRITE -> {
          Key key = readKey(in, in.readUnsignedShort());
          yield new ReplicaRequest.Write(new Mutation(key, readRecord(in)));
        }
        case FrameKind.PULL_HINTS ->
            new ReplicaRequest.PullHints(
                new MemberId(in.readString(rest(in), StandardCharsets.UTF_8)));
        case FrameKind.SCAN -> PageCodec.readScan(KeyOrder.ASCENDING, in);
        case FrameKind.SCAN_DESCENDING -> PageCodec.readScan(KeyOrder.DESCENDING, in);
        case FrameKind.ASK_TOPOLOGY -> TransferRequest.AskTopology.ASK_TOPOLOGY;
        case FrameKind.COPY_GAINED -> TransferCodec.readCopy(in);
        case FrameKind.TRACED -> readTraced(in);
        default -> RepairCodec.readRequest(kind, in);
      };
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new MalformedFrameException("bad request of kind " + kind + ": " + e.getMessage());
    }
  }

  private static ReplicaRequest readTraced(ByteBuf in) throws MalformedFrameException {
    TraceContext parent = new TraceContext(in.readLong(), in.readLong(), in.readLong(), true);
    byte kind = in.readByte();
    // Check before decoding: a frame has room for more nested traces than the stack has frames.
    if (kind == FrameKind.TRACED) {
      throw new MalformedFrameException("a trace within a trace");
    }
    return new ReplicaRequest.Traced(parent, readRequest(kind, in));
  }

  static byte kindOf(ReplicaReply reply) {
    return switch (reply) {
      case ReplicaReply.ReadReply looked ->
          switch (looked.lookup()) {
            case ReadResult.Found found -> FrameKind.FOUND;
            case ReadResult.FoundVersion found -> FrameKind.FOUND_VERSION;
            case ReadResult.Absent absent -> FrameKind.ABSENT;
            case ReadResult.Unknown unknown -> FrameKind.UNKNOWN;
          };
      case ReplicaReply.WriteReply wrote ->
          switch (wrote.applied()) {
            case WriteResult.Stored stored -> FrameKind.STORED;
            case WriteResult.Superseded superseded -> FrameKind.SUPERSEDED;
            case WriteResult.Rejected rejected -> FrameKind.WRITE_REJECTED;
          };
      case ReplicaReply.HintsDelivered delivered -> FrameKind.HINTS_DELIVERED;
      case ReplicaReply.Failed failed -> FrameKind.FAILED;
      case ReplicaReply.Page page -> FrameKind.PAGE;
      case RepairReply repair -> RepairCodec.kindOf(repair);
      case TransferReply transfer -> TransferCodec.kindOf(transfer);
    };
  }

  static void write(ReplicaReply reply, ByteBuf out) {
    switch (reply) {
      case ReplicaReply.ReadReply looked -> {
        switch (looked.lookup()) {
          case ReadResult.Found found -> writeRecord(found.record(), out);
          case ReadResult.FoundVersion found -> writeVersion(found.version(), out);
          case ReadResult.Absent absent -> {}
          case ReadResult.Unknown unknown -> out.writeByte(unknown.reason().number());
        }
      }
      case ReplicaReply.WriteReply wrote -> {
        switch (wrote.applied()) {
          case WriteResult.Stored stored -> {}
          case WriteResult.Superseded superseded -> writeVersion(superseded.by(), out);
          case WriteResult.Rejected rejected -> out.writeByte(rejected.reason().number());
        }
      }
      case ReplicaReply.HintsDelivered delivered ->
          out.writeInt(delivered.delivered()).writeLong(delivered.remaining());
      case ReplicaReply.Failed failed -> out.writeByte(failed.reason().number());
      case ReplicaReply.Page page -> PageCodec.write(page, out);
      case RepairReply repair -> RepairCodec.write(repair, out);
      case TransferReply transfer -> TransferCodec.write(transfer, out);
    }
  }

  static ReplicaReply readReply(byte kind, ByteBuf in) throws MalformedFrameException {
    try {
      return switch (kind) {
        case FrameKind.FOUND -> new ReplicaReply.ReadReply(new ReadResult.Found(readRecord(in)));
        case FrameKind.FOUND_VERSION ->
            new ReplicaReply.ReadReply(new ReadResult.FoundVersion(readVersion(in)));
        case FrameKind.ABSENT -> new ReplicaReply.ReadReply(ReadResult.Absent.ABSENT);
        case FrameKind.UNKNOWN ->
            new ReplicaReply.ReadReply(new ReadResult.Unknown(readReason(in)));
        case FrameKind.STORED -> ReplicaReply.WriteReply.STORED;
        case FrameKind.SUPERSEDED ->
            new ReplicaReply.WriteReply(new WriteResult.Superseded(readVersion(in)));
        case FrameKind.WRITE_REJECTED ->
            new ReplicaReply.WriteReply(new WriteResult.Rejected(readReason(in)));
        case FrameKind.HINTS_DELIVERED ->
            new ReplicaReply.HintsDelivered(in.readInt(), in.readLong());
        case FrameKind.FAILED -> new ReplicaReply.Failed(readReason(in));
        case FrameKind.PAGE -> PageCodec.readPage(in);
        case FrameKind.KNOWN -> TransferCodec.readKnown(in);
        case FrameKind.GAINED -> TransferCodec.readGained(in);
        default -> RepairCodec.readReply(kind, in);
      };
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new MalformedFrameException("bad reply of kind " + kind + ": " + e.getMessage());
    }
  }

  private static int rest(ByteBuf in) {
    return in.readableBytes();
  }

  static Key readKey(ByteBuf in, int length) {
    byte[] bytes = new byte[Math.min(length, in.readableBytes() + 1)];
    in.readBytes(bytes);
    return Key.ofBytes(bytes);
  }

  static void writeVersion(Version version, ByteBuf out) {
    out.writeLong(version.stamp()).writeInt(version.writer());
  }

  static Version readVersion(ByteBuf in) {
    return new Version(in.readLong(), in.readInt());
  }

  static void writeRecord(Versioned record, ByteBuf out) {
    writeVersion(record.version(), out);
    out.writeByte(record.kind().flags());
    out.writeLong(record.expiresAtMillis());
    out.writeByte(record.from());
    out.writeInt(record.checksum());
    out.writeBytes(record.value());
  }

  static Versioned readRecord(ByteBuf in) throws MalformedFrameException {
    Version version = readVersion(in);
    RecordKind kind = RecordKind.of(in.readByte());
    long expiresAtMillis = in.readLong();
    int from = in.readByte();
    int checksum = in.readInt();
    if (kind == RecordKind.TOMBSTONE && in.isReadable()) {
      throw new MalformedFrameException("a tombstone with a value");
    }
    byte[] value = new byte[in.readableBytes()];
    in.readBytes(value);
    return Versioned.received(version, kind, expiresAtMillis, from, value, checksum);
  }

  // A newer peer may send reasons unknown to this node; none of them means success.
  private static RejectReason readReason(ByteBuf in) {
    int number = in.readUnsignedByte();
    for (RejectReason reason : REJECT_REASONS) {
      if (reason.number() == number) {
        return reason;
      }
    }
    return UNKNOWN_REASON;
  }
}
