package dev.kvorum.backup.objectstore;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * The key that all objects of a backup depend on. It encrypts nothing itself: what does is derived
 * from it for one purpose each.
 */
public final class EncryptionKey {
  static final int BYTES = 32;
  static final int ID_BYTES = 8;

  private static final String PREFIX = "kvorum-backup-key-1:";
  private static final String HMAC = "HmacSHA256";
  private static final byte[] NO_SALT = new byte[BYTES];

  private final byte[] master;

  private EncryptionKey(byte[] master) {
    this.master = master;
  }

  /** A new key, to be kept apart from the backups: without it they are lost. */
  public static EncryptionKey generate() {
    byte[] master = new byte[BYTES];
    new SecureRandom().nextBytes(master);
    return new EncryptionKey(master);
  }

  /**
   * Reads a key's text form. Blanks around it, such as the line end of its file, do not count.
   *
   * @throws IllegalArgumentException that does not repeat the text
   */
  public static EncryptionKey parse(String text) {
    String stripped = text.strip();
    if (!stripped.startsWith(PREFIX)) {
      throw new IllegalArgumentException("an encryption key begins with " + PREFIX);
    }
    byte[] master;
    try {
      master = Base64.getDecoder().decode(stripped.substring(PREFIX.length()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("no base64 follows " + PREFIX + " in the encryption key");
    }
    if (master.length != BYTES) {
      throw new IllegalArgumentException(
          "an encryption key has " + BYTES + " bytes in base64, not " + master.length);
    }
    return new EncryptionKey(master);
  }

  /** The text form, which is the secret. */
  public String format() {
    return PREFIX + Base64.getEncoder().encodeToString(master);
  }

  /** Tells keys apart without showing them. */
  public String id() {
    return HexFormat.of().formatHex(idBytes());
  }

  byte[] idBytes() {
    try {
      return kdf().deriveData(parameters(NO_SALT, "key id", ID_BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A name for content by its hash. Equal content has equal names, and nobody without the key can
   * tell whether it is content that they know.
   */
  public String secretName(byte[] sha256) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(derived(HMAC, NO_SALT, "names"));
      return HexFormat.of().formatHex(mac.doFinal(sha256));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The key of one object: another one for each salt and each name. */
  SecretKey ofObject(byte[] salt, String name) {
    return derived("AES", salt, "object " + name);
  }

  private SecretKey derived(String algorithm, byte[] salt, String purpose) {
    try {
      return kdf().deriveKey(algorithm, parameters(salt, purpose, BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KDF kdf() throws GeneralSecurityException {
    return KDF.getInstance("HKDF-SHA256");
  }

  private HKDFParameterSpec parameters(byte[] salt, String purpose, int bytes) {
    byte[] info = ("kvorum backup 1 " + purpose).getBytes(UTF_8);
    return HKDFParameterSpec.ofExtract().addIKM(master).addSalt(salt).thenExpand(info, bytes);
  }

  /** Without the key, for logs. */
  @Override
  public String toString() {
    return "EncryptionKey[id=" + id() + "]";
  }
}
