package dev.kvorum.backup.manifest;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/** Manifests as JSON. A reader ignores fields that it does not know and rejects newer formats. */
public final class Manifests {
  /** The newest format, which a release writes and reads. */
  public static final int FORMAT = 1;

  /** Largest manifest that is read. */
  public static final int BYTES_MAX = 64 << 20;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private Manifests() {}

  public static byte[] encode(Object manifest) {
    return JSON.writeValueAsBytes(manifest);
  }

  /**
   * Decodes a manifest.
   *
   * @param name for messages
   * @throws IOException if it is damaged, or of a newer release
   */
  public static <T> T decode(Class<T> type, byte[] bytes, String name) throws IOException {
    try {
      JsonNode tree = JSON.readTree(bytes);
      int format = tree.path("format").asInt(0);
      if (format > FORMAT) {
        throw new IOException(
            name
                + " has format "
                + format
                + ", which a newer release wrote; this one reads formats up to "
                + FORMAT);
      }
      T manifest = JSON.treeToValue(tree, type);
      if (format < 1 || manifest == null) {
        throw new IOException(name + " is no manifest of a backup");
      }
      return manifest;
    } catch (JacksonException e) {
      throw new IOException(name + " is damaged: " + e.getOriginalMessage(), e);
    }
  }

  /** A digest for SHA-256. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** SHA-256 in hexadecimal digits. */
  public static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
  }
}
