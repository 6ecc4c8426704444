package dev.kvorum.backup.objectstore;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Function;

/** Reads that fail as the store's other methods do. */
final class MappedInput extends FilterInputStream {
  private final Function<IOException, IOException> failure;

  MappedInput(InputStream in, Function<IOException, IOException> failure) {
    super(in);
    this.failure = failure;
  }

  @Override
  public int read() throws IOException {
    try {
      return in.read();
    } catch (IOException e) {
      throw failure.apply(e);
    }
  }

  @Override
  public int read(byte[] into, int offset, int bytes) throws IOException {
    try {
      return in.read(into, offset, bytes);
    } catch (IOException e) {
      throw failure.apply(e);
    }
  }

  @Override
  public long skip(long bytes) throws IOException {
    try {
      return in.skip(bytes);
    } catch (IOException e) {
      throw failure.apply(e);
    }
  }
}
