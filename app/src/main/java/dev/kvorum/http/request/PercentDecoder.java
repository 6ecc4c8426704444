package dev.kvorum.http.request;

import dev.kvorum.http.problem.BadRequestException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Decodes components of a URL's query (application/x-www-form-urlencoded) to UTF-8 bytes. */
final class PercentDecoder {
  private PercentDecoder() {}

  /**
   * Decodes a component: {@code %XX} is a byte, {@code +} is a space, other characters stand for
   * themselves.
   *
   * @throws BadRequestException when an escape is incomplete or the bytes are not UTF-8
   */
  static byte[] decode(String text, int start, int end) throws BadRequestException {
    byte[] bytes = new byte[end - start];
    int length = 0;
    boolean ascii = true;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      int decoded = c;
      if (c == '%') {
        decoded = i + 2 < end ? hexByte(text.charAt(i + 1), text.charAt(i + 2)) : -1;
        i += 2;
      } else if (c == '+') {
        decoded = ' ';
      }
      if (decoded < 0 || decoded > 0xff) {
        throw new BadRequestException(
            "invalid-encoding", "the query has a '%' without two hexadecimal digits after it");
      }
      ascii &= decoded < 0x80;
      bytes[length++] = (byte) decoded;
    }
    byte[] exact = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    if (!ascii) {
      checkUtf8(exact);
    }
    return exact;
  }

  private static int hexByte(char high, char low) {
    int h = Character.digit(high, 16);
    int l = Character.digit(low, 16);
    return h < 0 || l < 0 ? -1 : h << 4 | l;
  }

  static void checkUtf8(byte[] bytes) throws BadRequestException {
    try {
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes));
    } catch (CharacterCodingException e) {
      throw new BadRequestException(
          "invalid-encoding", "the query is not UTF-8 after percent-decoding");
    }
  }
}
