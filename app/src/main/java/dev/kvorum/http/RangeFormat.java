package dev.kvorum.http;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.TypedValue;
import dev.kvorum.data.Versioned;
import dev.kvorum.http.problem.BadRequestException;
import dev.kvorum.http.request.AcceptHeader;
import dev.kvorum.http.request.RangeParameters;
import dev.kvorum.http.request.ResumeToken;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Encodings of the records of a range. */
enum RangeFormat {
  /** The key, a newline and the value; each record is one chunk. */
  CHUNKS("chunks", "application/octet-stream") {
    @Override
    void write(Mutation record, boolean value, ByteBuf out) {
      out.writeBytes(record.key().bytes()).writeByte('\n');
      if (value) {
        out.writeBytes(TypedValue.content(record.record()));
      }
    }

    @Override
    int bytes(Mutation record, boolean value) {
      return record.key().bytes().length
          + 1
          + (value ? TypedValue.contentBytes(record.record()) : 0);
    }
  },
  /** One JSON object and a newline per record. */
  JSON_LINES("ndjson", "application/x-ndjson") {
    @Override
    void write(Mutation record, boolean value, ByteBuf out) {
      out.writeBytes(KEY);
      writeEscaped(record.key().bytes(), out);
      out.writeByte('"');
      if (value) {
        ByteBuffer content = TypedValue.content(record.record());
        out.writeBytes(VALUE).writeBytes(Base64.getEncoder().encode(content));
        out.writeByte('"');
      } else {
        out.writeBytes(BYTES);
        ByteBufUtil.writeAscii(out, Integer.toString(TypedValue.contentBytes(record.record())));
      }
      out.writeBytes(VERSION);
      ByteBufUtil.writeAscii(out, record.record().version().toString());
      out.writeByte('"');
      String type = TypedValue.typeOf(record.record());
      if (!type.isEmpty()) {
        out.writeBytes(TYPE);
        writeEscaped(ascii(type), out);
        out.writeByte('"');
      }
      if (record.record().expiresAtMillis() != Versioned.NEVER) {
        out.writeBytes(EXPIRES);
        ByteBufUtil.writeAscii(out, Long.toString(record.record().expiresAtMillis()));
      }
      out.writeBytes(RESUME).writeBytes(ResumeToken.of(record.key())).writeBytes(END);
    }

    @Override
    int bytes(Mutation record, boolean value) {
      int key = record.key().bytes().length;
      return 120 + 3 * key + (value ? record.record().value().length * 4 / 3 : 0);
    }
  };

  private static final byte[] KEY = ascii("{\"key\":\"");
  private static final byte[] VALUE = ascii(",\"value\":\"");
  private static final byte[] BYTES = ascii(",\"bytes\":");
  private static final byte[] VERSION = ascii(",\"version\":\"");
  private static final byte[] TYPE = ascii(",\"type\":\"");
  private static final byte[] EXPIRES = ascii(",\"expires\":");
  private static final byte[] RESUME = ascii(",\"resume\":\"");
  private static final byte[] END = ascii("\"}\n");
  private static final byte[] HEX = ascii("0123456789abcdef");
  private static final byte[] ESCAPE = ascii("\\u00");

  private final String label;
  private final String mediaType;

  RangeFormat(String label, String mediaType) {
    this.label = label;
    this.mediaType = mediaType;
  }

  /**
   * The format that a request asks for by its parameter, else by its {@code Accept} header; empty
   * if it accepts none.
   *
   * @throws BadRequestException if the parameter names none
   */
  static Optional<RangeFormat> wanted(RangeParameters parameters, HttpHeaders headers)
      throws BadRequestException {
    if (parameters.format().isPresent()) {
      return Optional.of(labelled(parameters.format().get()));
    }
    if (AcceptHeader.wantsJsonLines(headers)) {
      return Optional.of(JSON_LINES);
    }
    return AcceptHeader.takesBytes(headers) ? Optional.of(CHUNKS) : Optional.empty();
  }

  private static RangeFormat labelled(String label) throws BadRequestException {
    for (RangeFormat format : values()) {
      if (format.label.equals(label)) {
        return format;
      }
    }
    throw new BadRequestException(
        "invalid-format", "format is '" + label + "'; it must be ndjson or chunks");
  }

  /** Returns whether a client that accepts gzip gets it. Compressed chunks are no records. */
  boolean isCompressible() {
    return this == JSON_LINES;
  }

  String mediaType() {
    return mediaType;
  }

  /**
   * Appends a record.
   *
   * @param value whether its value is included
   */
  abstract void write(Mutation record, boolean value, ByteBuf out);

  /** Approximate size of an encoded record in bytes; exact for chunks. */
  abstract int bytes(Mutation record, boolean value);

  /** Writes UTF-8 inside a JSON string. Characters above ASCII need no escape (RFC 8259, 7). */
  private static void writeEscaped(byte[] utf8, ByteBuf out) {
    for (byte b : utf8) {
      if (b == '"' || b == '\\') {
        out.writeByte('\\').writeByte(b);
      } else if (b >= 0 && b < ' ') {
        out.writeBytes(ESCAPE).writeByte(HEX[b >> 4]).writeByte(HEX[b & 0xf]);
      } else {
        out.writeByte(b);
      }
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
