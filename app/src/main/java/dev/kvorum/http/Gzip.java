package dev.kvorum.http;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** A gzip stream (RFC 1952) that gives out all that was put in whenever it is asked to. */
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

  /** Packs some bytes, which can be unpacked without those that follow. */
  byte[] pack(ByteBuf bytes) {
    try {
      bytes.readBytes(stream, bytes.readableBytes());
      stream.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return taken();
  }

  /** The end of the stream. */
  byte[] end() {
    close();
    return taken();
  }

  private byte[] taken() {
    byte[] bytes = packed.toByteArray();
    packed.reset();
    return bytes;
  }

  /** Lets the memory outside of the heap go. */
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
      // It runs on an event loop, on which others wait.
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
