package dev.kvorum.rpc;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.RepairReply.Held;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Encodes and decodes the body of {@link RepairReply.Listed}. Keys are sorted, so each omits the
 * prefix that it shares with the key before it: keys are most of the bytes of a comparison.
 */
final class HeldCodec {
  private static final int COMMON_MAX = 255;
  private static final int TOMBSTONE = 0x80;
  private static final byte[] NO_KEY = new byte[0];

  private HeldCodec() {}

  static void write(RepairReply.Listed listed, ByteBuf out) {
    PageCodec.writeKey(listed.next(), out);
    byte[] before = NO_KEY;
    for (Held held : listed.held()) {
      byte[] key = held.key().bytes();
      int mismatch = Arrays.mismatch(before, key);
      int common = Math.min(COMMON_MAX, mismatch < 0 ? key.length : mismatch);
      out.writeByte(common).writeShort(key.length - common);
      out.writeBytes(key, common, key.length - common);
      ReplicaCodec.writeVersion(held.version(), out);
      out.writeByte(held.from() | (held.tombstone() ? TOMBSTONE : 0));
      out.writeInt(held.checksum());
      before = key;
    }
  }

  static RepairReply.Listed read(ByteBuf in) {
    Optional<Key> next = PageCodec.readKey(in);
    List<Held> held = new ArrayList<>();
    byte[] before = NO_KEY;
    while (in.isReadable()) {
      int common = in.readUnsignedByte();
      int rest = in.readUnsignedShort();
      if (common > before.length || rest > Key.BYTES_MAX) {
        throw new IndexOutOfBoundsException("a key of " + common + " and " + rest + " bytes");
      }
      byte[] key = Arrays.copyOf(before, common + rest);
      in.readBytes(key, common, rest);
      before = key;
      Key named = Key.ofBytes(key);
      Version version = ReplicaCodec.readVersion(in);
      int flags = in.readUnsignedByte();
      boolean tombstone = (flags & TOMBSTONE) != 0;
      held.add(new Held(named, version, flags & ~TOMBSTONE, tombstone, in.readInt()));
    }
    return new RepairReply.Listed(held, next);
  }
}
