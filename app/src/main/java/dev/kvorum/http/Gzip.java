package dev.kvorum.http;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** A gzip stream (RFC 1952) that flushes completely after each call. */
final class Gzip implements AutoCloseable {
  private static final int BUFFER_BYTES = 8 << 10;

  private final ByteArrayOutputStream packed = new ByteArrayOutputStream();
  private final Stream stream;

  Gzip() {
    try {
      stream = new Stream(packed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Compresses bytes so that they can be decompressed without those that follow. */
  byte[] pack(ByteBuf bytes) {
    try {
      bytes.readBytes(stream, bytes.readableBytes());
      stream.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return taken();
  }

  /** Returns the end of the stream. */
  byte[] end() {
    close();
    return taken();
  }

  private byte[] taken() {
    byte[] bytes = packed.toByteArray();
    packed.reset();
    return bytes;
  }

  /** Frees the memory outside the heap. */
  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Stream extends GZIPOutputStream {
    Stream(ByteArrayOutputStream to) throws IOException {
      super(to, BUFFER_BYTES, true);
      // Compression runs on an event loop and delays its other work.
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
