package dev.kvorum.data;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a value with its media type: the length of the type (1 byte), the type in ASCII, and
 * the content.
 */
public final class TypedValue {
  /** Length in bytes of the longest type. */
  public static final int TYPE_BYTES_MAX = 127;

  private TypedValue() {}

  /** What precedes the content. */
  public static byte[] head(String type) {
    byte[] ascii = type.getBytes(StandardCharsets.US_ASCII);
    if (ascii.length > TYPE_BYTES_MAX) {
      throw new IllegalArgumentException("a media type of " + ascii.length + " bytes");
    }
    byte[] head = new byte[1 + ascii.length];
    head[0] = (byte) ascii.length;
    System.arraycopy(ascii, 0, head, 1, ascii.length);
    return head;
  }

  /** The media type of a record; empty if it has none. */
  public static String typeOf(Versioned record) {
    int at = contentAt(record);
    return at == 0 ? "" : new String(record.value(), 1, at - 1, StandardCharsets.US_ASCII);
  }

  /** Where the content of a record begins in its value. */
  public static int contentAt(Versioned record) {
    byte[] value = record.value();
    if (record.kind() != RecordKind.TYPED_VALUE || value.length == 0) {
      return 0;
    }
    return Math.min(value.length, 1 + (value[0] & TYPE_BYTES_MAX));
  }

  /** The content of a record, in its own bytes; do not modify them. */
  public static ByteBuffer content(Versioned record) {
    return ByteBuffer.wrap(record.value(), contentAt(record), contentBytes(record));
  }

  /** Number of bytes of a record's content. */
  public static int contentBytes(Versioned record) {
    return record.value().length - contentAt(record);
  }
}
