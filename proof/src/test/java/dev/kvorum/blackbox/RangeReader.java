package dev.kvorum.blackbox;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client that reads a range chunk by chunk, each of which has to be one record. */
final class RangeReader implements AutoCloseable {
  private final RawConnection connection;
  private final RawConnection.Response head;
  private final String keyMark;

  /** A record as its chunk has it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Found(String key, byte[] value) {}

  /**
   * Sends a request and reads the answer's head.
   *
   * @param parameters as {@code start=a&limit=3}
   */
  RangeReader(NodeProcess node, String parameters) throws IOException {
    this(node, parameters, "");
  }

  /**
   * The same for keys with newlines inside.
   *
   * @param keyMark what all keys end with, and have nowhere before a newline
   */
  RangeReader(NodeProcess node, String parameters, String keyMark) throws IOException {
    this.keyMark = keyMark;
    connection = new RawConnection(node);
    connection.send("GET /v0/entities?" + parameters + " HTTP/1.1\r\nHost: kvorum\r\n\r\n");
    head = connection.readHead();
  }

  /** The parameters for all keys that begin so. */
  static String of(String prefix) {
    // The last character that there is.
    return "start=" + encoded(prefix) + "&end=" + encoded(prefix + "\uDBFF\uDFFF");
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  RawConnection.Response head() {
    return head;
  }

  /** The next record, null at the end; fails when the node ends the connection before the end. */
  @Nullable Found next() throws IOException {
    byte[] chunk = connection.readChunk();
    if (chunk.length == 0) {
      return null;
    }
    String text = new String(chunk, StandardCharsets.ISO_8859_1);
    int keyEnd = text.indexOf(keyMark + '\n') + keyMark.length();
    return new Found(
        new String(chunk, 0, keyEnd, StandardCharsets.UTF_8),
        Arrays.copyOfRange(chunk, keyEnd + 1, chunk.length));
  }

  /** All that is left, to the end. */
  List<Found> rest() throws IOException {
    List<Found> all = new ArrayList<>();
    for (Found found = next(); found != null; found = next()) {
      all.add(found);
    }
    return all;
  }

  static List<Found> all(NodeProcess node, String parameters) throws IOException {
    try (RangeReader reader = new RangeReader(node, parameters)) {
      return reader.rest();
    }
  }

  static List<String> keys(NodeProcess node, String parameters) throws IOException {
    return all(node, parameters).stream().map(Found::key).toList();
  }

  /** Leaves as a client that crashes. */
  void reset() throws IOException {
    connection.reset();
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
