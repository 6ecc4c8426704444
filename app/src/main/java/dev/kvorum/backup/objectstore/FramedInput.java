package dev.kvorum.backup.objectstore;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream whose bytes are made of another's, a frame at a time. */
abstract class FramedInput extends FilterInputStream {
  private final byte[] frame;
  private int at;
  private int end;
  private boolean ended;

  /**
   * @param begin what comes before the first frame
   */
  FramedInput(InputStream in, int frameMax, byte[] begin) {
    super(in);
    this.frame = new byte[frameMax];
    System.arraycopy(begin, 0, frame, 0, begin.length);
    this.end = begin.length;
  }

  /** Returns how many bytes were put into the frame, which may be none, or -1 at the end. */
  abstract int next(byte[] frame) throws IOException;

  @Override
  public final int read() throws IOException {
    return filled() ? Byte.toUnsignedInt(frame[at++]) : -1;
  }

  @Override
  public final int read(byte[] into, int offset, int bytes) throws IOException {
    if (bytes == 0) {
      return 0;
    }
    if (!filled()) {
      return -1;
    }
    int read = Math.min(bytes, end - at);
    System.arraycopy(frame, at, into, offset, read);
    at += read;
    return read;
  }

  private boolean filled() throws IOException {
    while (at == end && !ended) {
      at = 0;
      end = 0; // also if the next one cannot be had
      int next = next(frame);
      ended = next < 0;
      end = Math.max(0, next);
    }
    return at < end;
  }

  @Override
  public final long skip(long bytes) throws IOException {
    if (bytes <= 0 || !filled()) {
      return 0;
    }
    int skipped = (int) Math.min(bytes, end - at);
    at += skipped;
    return skipped;
  }

  @Override
  public final int available() {
    return end - at;
  }

  @Override
  public final boolean markSupported() {
    return false;
  }
}
