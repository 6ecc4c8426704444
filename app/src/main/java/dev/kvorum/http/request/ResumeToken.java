package dev.kvorum.http.request;

import dev.kvorum.data.Key;
import dev.kvorum.http.problem.BadRequestException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The token with which a client resumes a range behind a record. It consists of the number of this
 * format and the record's key, in the base64 alphabet that needs no escapes in a URL.
 */
public final class ResumeToken {
  private static final byte FORMAT = 1;

  private ResumeToken() {}

  /** Encodes a key as a token, in ASCII. */
  public static byte[] of(Key key) {
    byte[] bytes = key.bytes();
    byte[] token = ByteBuffer.allocate(1 + bytes.length).put(FORMAT).put(bytes).array();
    return Base64.getUrlEncoder().withoutPadding().encode(token);
  }

  /**
   * Decodes the key of a token.
   *
   * @throws BadRequestException if the text is not a token
   */
  static Key read(byte[] text) throws BadRequestException {
    try {
      ByteBuffer token = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
      if (token.remaining() > 1 && token.get() == FORMAT) {
        byte[] bytes = new byte[token.remaining()];
        token.get(bytes);
        PercentDecoder.checkUtf8(bytes);
        return Key.ofBytes(bytes);
      }
    } catch (IllegalArgumentException | BadRequestException e) {
      // Neither base64 nor a key: rejected below.
    }
    throw new BadRequestException(
        "invalid-resume",
        "'" + new String(text, StandardCharsets.UTF_8) + "' was not issued by this store");
  }
}
