package dev.kvorum.backup.objectstore;

import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.util.function.Consumer;

/**
 * Encrypts what another store holds, so that who can read or change that store learns of an object
 * its name and length, and changes nothing unnoticed but by deleting objects or restoring what they
 * were. Names are stored as they are given: see {@link #secretName}.
 *
 * <p>A stream that is read returns bytes before the whole object was seen, though none that are
 * damaged: what they mean is only known at the end.
 */
public final class EncryptedObjects implements ObjectStore {
  private final ObjectStore store;
  private final EncryptionKey key;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param store closed with this one
   */
  public EncryptedObjects(ObjectStore store, EncryptionKey key) {
    this.store = store;
    this.key = key;
  }

  /** How many bytes the other store holds for an object of this length. */
  public static long encryptedLength(long plain) {
    return EncryptedFormat.encryptedLength(plain);
  }

  /** A name for content that does not show its hash; the same each time. */
  public String secretName(byte[] sha256) {
    return key.secretName(sha256);
  }

  @Override
  public void put(String name, long length, Content content) throws IOException {
    ObjectNames.checked(name);
    store.put(
        name,
        encryptedLength(length),
        () -> {
          InputStream plain = ExactContent.open(name, length, content);
          // Not that of the attempt before, whose content may have been other.
          byte[] salt = new byte[EncryptedFormat.SALT];
          random.nextBytes(salt);
          return new Encrypting(plain, length, EncryptedFormat.of(key, name, salt));
        });
  }

  /**
   * @throws CorruptedObjectException here or while it is read, if it was not encrypted with this
   *     key under this name, or has changed since
   */
  @Override
  public InputStream get(String name) throws IOException {
    InputStream encrypted = store.get(name);
    try {
      return new Decrypting(encrypted, EncryptedFormat.read(key, name, encrypted));
    } catch (IOException | RuntimeException | Error e) {
      encrypted.close();
      throw e;
    }
  }

  /** With the lengths that the objects have decrypted. */
  @Override
  public void list(String prefix, Consumer<StoredObject> each) throws IOException {
    store.list(
        prefix,
        object ->
            each.accept(
                new StoredObject(
                    object.name(),
                    EncryptedFormat.plainLength(object.bytes()),
                    object.modified())));
  }

  @Override
  public boolean delete(String name) throws IOException {
    return store.delete(name);
  }

  @Override
  public void close() {
    store.close();
  }

  private static final class Encrypting extends FramedInput {
    private final EncryptedFormat format;
    private final byte[] plain;
    private long rest;
    private long number;
    private boolean last;

    Encrypting(InputStream in, long length, EncryptedFormat format) {
      super(in, EncryptedFormat.FRAME + EncryptedFormat.TAG, format.header());
      this.format = format;
      this.plain = new byte[EncryptedFormat.FRAME];
      this.rest = length;
    }

    @Override
    int next(byte[] frame) throws IOException {
      if (last) {
        return -1;
      }
      int bytes = in.readNBytes(plain, 0, (int) Math.min(rest, plain.length));
      rest -= bytes;
      last = rest == 0;
      return format.encrypt(number++, last, plain, bytes, frame);
    }
  }

  private static final class Decrypting extends FramedInput {
    private final EncryptedFormat format;

    /** With room for a byte of the next frame, which tells whether there is one. */
    private final byte[] encrypted;

    private int ahead;
    private long number;
    private boolean last;

    Decrypting(InputStream in, EncryptedFormat format) {
      super(in, EncryptedFormat.FRAME, new byte[0]);
      this.format = format;
      this.encrypted = new byte[EncryptedFormat.FRAME + EncryptedFormat.TAG + 1];
    }

    @Override
    int next(byte[] frame) throws IOException {
      if (last) {
        return -1;
      }
      int whole = encrypted.length - 1;
      int bytes = ahead + in.readNBytes(encrypted, ahead, encrypted.length - ahead);
      boolean ends = bytes <= whole;
      int plain = format.decrypt(number++, ends, encrypted, Math.min(bytes, whole), frame);
      encrypted[0] = encrypted[whole];
      ahead = ends ? 0 : 1;
      last = ends;
      return plain;
    }
  }
}
