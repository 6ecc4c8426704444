package dev.kvorum.backup.manifest;

import dev.kvorum.files.BlockInput;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The bytes of a file, which fails instead of returning the last of them if they are not those that
 * were backed up.
 */
public final class VerifiedStream extends BlockInput {
  private final BackupFile file;
  private final MessageDigest digest = Manifests.sha256();
  private long left;

  public VerifiedStream(InputStream in, BackupFile file) throws IOException {
    super(in);
    this.file = file;
    this.left = file.bytes();
    if (left == 0) {
      check();
    }
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = in.read(into, offset, length);
    if (read < 0) {
      if (left > 0) {
        throw new IOException(file.name() + " ends " + left + " bytes too early");
      }
      return read;
    }
    left -= read;
    if (left < 0) {
      throw new IOException(file.name() + " is longer than the " + file.bytes() + " bytes it had");
    }
    digest.update(into, offset, read);
    if (left == 0 && read > 0) {
      check();
    }
    return read;
  }

  private void check() throws IOException {
    String sha256 = HexFormat.of().formatHex(digest.digest());
    if (!sha256.equals(file.sha256())) {
      throw new IOException(
          file.name() + " is damaged: its SHA-256 is " + sha256 + " instead of " + file.sha256());
    }
  }
}
