package dev.kvorum.rpc;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.ScanLimits;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Encodes and decodes the bodies of scans and of pages of records. Integers are big-endian. */
final class PageCodec {
  private PageCodec() {}

  static void write(ReplicaRequest.Scan scan, ByteBuf out) {
    writeRange(scan.range(), out);
    out.writeInt(scan.limits().recordsMax()).writeInt(scan.limits().bytesMax());
  }

  static ReplicaRequest readScan(KeyOrder order, ByteBuf in) {
    KeyRange range = readRange(in);
    return new ReplicaRequest.Scan(range, order, new ScanLimits(in.readInt(), in.readInt()));
  }

  static void writeRange(KeyRange range, ByteBuf out) {
    writeKey(range.start(), out);
    out.writeBoolean(range.startIncluded());
    writeKey(range.end(), out);
  }

  static KeyRange readRange(ByteBuf in) {
    Optional<Key> start = readKey(in);
    boolean included = in.readBoolean();
    return new KeyRange(start, included, readKey(in));
  }

  static void write(ReplicaReply.Page page, ByteBuf out) {
    writeKey(page.next(), out);
    for (Mutation mutation : page.records()) {
      int lengthAt = out.writerIndex();
      out.writeInt(0);
      byte[] key = mutation.key().bytes();
      out.writeShort(key.length).writeBytes(key);
      ReplicaCodec.writeRecord(mutation.record(), out);
      out.setInt(lengthAt, out.writerIndex() - lengthAt - Integer.BYTES);
    }
  }

  static ReplicaReply.Page readPage(ByteBuf in) throws MalformedFrameException {
    Optional<Key> next = readKey(in);
    List<Mutation> records = new ArrayList<>();
    while (in.isReadable()) {
      ByteBuf record = in.readSlice(in.readInt());
      Key key = ReplicaCodec.readKey(record, record.readUnsignedShort());
      records.add(new Mutation(key, ReplicaCodec.readRecord(record)));
    }
    return new ReplicaReply.Page(records, next);
  }

  /** Writes an optional key: its length, 0 if it is absent, and its bytes. */
  static void writeKey(Optional<Key> key, ByteBuf out) {
    byte[] bytes = key.map(Key::bytes).orElse(NO_KEY);
    out.writeShort(bytes.length).writeBytes(bytes);
  }

  static Optional<Key> readKey(ByteBuf in) {
    int length = in.readUnsignedShort();
    return length == 0 ? Optional.empty() : Optional.of(ReplicaCodec.readKey(in, length));
  }

  private static final byte[] NO_KEY = new byte[0];
}
