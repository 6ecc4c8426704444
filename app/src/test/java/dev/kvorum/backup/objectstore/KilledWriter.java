package dev.kvorum.backup.objectstore;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.time.Clock;

/** A process that prints a letter while it writes an object, and never ends. */
final class KilledWriter {
  private KilledWriter() {}

  public static void main(String[] args) throws IOException {
    ObjectStore store = VolumeObjects.open(Path.of(args[0]), Clock.systemUTC());
    store.put(
        "a",
        2 << 20,
        () -> new SequenceInputStream(new ByteArrayInputStream(new byte[1 << 20]), new Hanging()));
  }

  private static final class Hanging extends InputStream {
    @Override
    public int read() throws IOException {
      return read(new byte[1], 0, 1);
    }

    @Override
    public int read(byte[] into, int offset, int bytes) throws IOException {
      System.out.write('w');
      System.out.flush();
      return System.in.read(); // the parent writes nothing
    }
  }
}
