package dev.kvorum.rpc;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Optional fields: each has a tag (1 byte), a length (2) and its content. A reader skips the tags
 * that it does not know, so that a release can add a field. Tags are never reused.
 */
final class TaggedFields {
  private TaggedFields() {}

  /** Receives a field; {@code content} has the field's length. */
  @FunctionalInterface
  interface Visitor {
    void field(int tag, ByteBuf content);
  }

  static void write(int tag, ByteBuf out, Consumer<ByteBuf> content) {
    out.writeByte(tag).writeShort(0);
    int start = out.writerIndex();
    content.accept(out);
    out.setShort(start - Short.BYTES, out.writerIndex() - start);
  }

  static void write(int tag, String text, ByteBuf out) {
    write(tag, out, field -> field.writeCharSequence(text, StandardCharsets.UTF_8));
  }

  /**
   * Reads fields up to the end of the buffer.
   *
   * @throws IndexOutOfBoundsException if the last one is cut off
   */
  static void read(ByteBuf in, Visitor visitor) {
    while (in.isReadable()) {
      int tag = in.readUnsignedByte();
      visitor.field(tag, in.readSlice(in.readUnsignedShort()));
    }
  }
}
