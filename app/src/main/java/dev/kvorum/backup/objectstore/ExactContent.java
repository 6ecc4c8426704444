package dev.kvorum.backup.objectstore;

import dev.kvorum.files.BlockInput;
import java.io.IOException;
import java.io.InputStream;

/**
 * Content with the length that was promised. Any other length fails before the last bytes are
 * passed on, so that no store takes the object for complete.
 */
final class ExactContent extends BlockInput {
  private final String name;
  private final long length;
  private long passed;

  private ExactContent(InputStream in, String name, long length) {
    super(in);
    this.name = name;
    this.length = length;
  }

  static InputStream open(String name, long length, ObjectStore.Content content)
      throws IOException {
    ExactContent exact = new ExactContent(content.open(), name, length);
    if (length == 0) {
      try {
        exact.checkEnd();
      } catch (IOException | RuntimeException | Error e) {
        exact.close();
        throw e;
      }
    }
    return exact;
  }

  @Override
  public int read(byte[] into, int offset, int bytes) throws IOException {
    if (passed == length) {
      return -1;
    }
    int read = in.read(into, offset, (int) Math.min(bytes, length - passed));
    if (read < 0) {
      throw new IOException(
          "content of object " + name + " ended after " + passed + " of " + length + " bytes");
    }
    passed += read;
    if (passed == length) {
      checkEnd();
    }
    return read;
  }

  private void checkEnd() throws IOException {
    if (in.read() >= 0) {
      throw new IOException(
          "content of object " + name + " is longer than the promised " + length + " bytes");
    }
  }
}
