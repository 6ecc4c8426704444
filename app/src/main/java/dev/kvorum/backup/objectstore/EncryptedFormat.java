package dev.kvorum.backup.objectstore;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * How an encrypted object looks: a header (magic, version, id of the key, salt), then frames of
 * AES-256-GCM, each with its tag. A frame has the header as additional data, and its number and
 * whether it is the last one in its nonce: frames that are missing, moved or of another object do
 * not decrypt. An object has at least one frame, which may be empty.
 */
final class EncryptedFormat {
  static final int FRAME = 1 << 20;
  static final int TAG = 16;
  static final int SALT = 32;

  private static final byte[] MAGIC = "KVBACKUP".getBytes(US_ASCII);
  private static final byte VERSION = 1;
  static final int HEADER = MAGIC.length + 1 + EncryptionKey.ID_BYTES + SALT;

  private static final int NONCE = 12;

  private final String name;
  private final byte[] header;
  private final SecretKey key;
  private final Cipher cipher;

  private EncryptedFormat(String name, byte[] header, SecretKey key) {
    this.name = name;
    this.header = header;
    this.key = key;
    try {
      this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For an object that is to be written. A salt is for one encryption only. */
  static EncryptedFormat of(EncryptionKey master, String name, byte[] salt) {
    byte[] header =
        ByteBuffer.allocate(HEADER).put(MAGIC).put(VERSION).put(master.idBytes()).put(salt).array();
    return new EncryptedFormat(name, header, master.ofObject(salt, name));
  }

  /** For an object that is read. */
  static EncryptedFormat read(EncryptionKey master, String name, InputStream in)
      throws IOException {
    byte[] header = in.readNBytes(HEADER);
    int begun = Math.min(header.length, MAGIC.length);
    if (!Arrays.equals(header, 0, begun, MAGIC, 0, begun)) {
      throw new CorruptedObjectException("object " + name + " is not encrypted, or is damaged");
    }
    if (header.length < HEADER) {
      throw new CorruptedObjectException("object " + name + " ends in its header");
    }
    if (header[MAGIC.length] != VERSION) {
      throw new CorruptedObjectException(
          "object " + name + " has the unknown format " + header[MAGIC.length] + ", or is damaged");
    }
    int id = MAGIC.length + 1;
    int salt = id + EncryptionKey.ID_BYTES;
    byte[] ofKey = Arrays.copyOfRange(header, id, salt);
    if (!Arrays.equals(ofKey, master.idBytes())) {
      throw new CorruptedObjectException(
          "object "
              + name
              + " is encrypted with another key: "
              + HexFormat.of().formatHex(ofKey)
              + ", not "
              + master.id());
    }
    byte[] salted = Arrays.copyOfRange(header, salt, HEADER);
    return new EncryptedFormat(name, header, master.ofObject(salted, name));
  }

  byte[] header() {
    return header.clone();
  }

  static long encryptedLength(long plain) {
    long frames = plain == 0 ? 1 : (plain + FRAME - 1) / FRAME;
    return HEADER + plain + frames * TAG;
  }

  /** Zero or more for a length that no encrypted object has. */
  static long plainLength(long encrypted) {
    long frames = Math.max(0, encrypted - HEADER);
    long whole = frames / (FRAME + TAG);
    return whole * FRAME + Math.max(0, frames % (FRAME + TAG) - TAG);
  }

  /** Returns how many bytes are in the other array then. */
  int encrypt(long number, boolean last, byte[] plain, int bytes, byte[] into) {
    try {
      start(Cipher.ENCRYPT_MODE, number, last);
      return cipher.doFinal(plain, 0, bytes, into);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns how many bytes are in the other array then. */
  int decrypt(long number, boolean last, byte[] encrypted, int bytes, byte[] into)
      throws CorruptedObjectException {
    try {
      start(Cipher.DECRYPT_MODE, number, last);
      return cipher.doFinal(encrypted, 0, bytes, into);
    } catch (AEADBadTagException e) {
      throw new CorruptedObjectException(
          "object "
              + name
              + " cannot be decrypted at frame "
              + number
              + ": it is damaged, incomplete, or was stored under another name",
          e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void start(int mode, long number, boolean last) throws GeneralSecurityException {
    // The key is for this object alone: its nonces need not be random.
    byte[] nonce =
        ByteBuffer.allocate(NONCE)
            .put((byte) (last ? 1 : 0))
            .putLong(NONCE - Long.BYTES, number)
            .array();
    cipher.init(mode, key, new GCMParameterSpec(8 * TAG, nonce));
    cipher.updateAAD(header);
  }
}
