package dev.kvorum.files;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A stream that passes on all bytes of another one through one method, {@link #read(byte[], int,
 * int)}: single bytes and skipped ones too.
 */
public abstract class BlockInput extends FilterInputStream {
  private static final int SKIPPED_MAX = 8192;

  protected BlockInput(InputStream in) {
    super(in);
  }

  @Override
  public abstract int read(byte[] into, int offset, int length) throws IOException;

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public final long skip(long bytes) throws IOException {
    return bytes <= 0 ? 0 : Math.max(0, read(new byte[(int) Math.min(bytes, SKIPPED_MAX)]));
  }

  @Override
  public final boolean markSupported() {
    return false;
  }
}
