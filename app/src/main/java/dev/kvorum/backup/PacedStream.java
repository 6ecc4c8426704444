package dev.kvorum.backup;

import dev.kvorum.files.BlockInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;

/** Reads no faster than a pace allows. */
public final class PacedStream extends BlockInput {
  private static final int STEP_BYTES = 128 << 10;

  private final Pace pace;
  private long unspent;

  public PacedStream(InputStream in, Pace pace) {
    super(in);
    this.pace = pace;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = in.read(into, offset, Math.min(length, STEP_BYTES));
    unspent += Math.max(0, read);
    if (unspent >= STEP_BYTES || (read < 0 && unspent > 0)) {
      spend();
    }
    return read;
  }

  private void spend() throws IOException {
    long bytes = unspent;
    unspent = 0;
    try {
      pace.spend(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("cancelled");
    }
  }
}
