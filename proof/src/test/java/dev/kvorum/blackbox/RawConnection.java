package dev.kvorum.blackbox;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A connection over which anything may be sent. Text is sent as Latin-1, a byte a character. */
final class RawConnection implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket = new Socket();
  private final InputStream in;

  /** An answer. Header names are in lower case. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Response(int status, Map<String, String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  RawConnection(NodeProcess node) throws IOException {
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), node.httpPort()), TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  RawConnection send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  RawConnection send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  Response read() throws IOException {
    return read(false);
  }

  /** Reads the next response; that to HEAD has no body, whatever its Content-Length. */
  Response read(boolean head) throws IOException {
    Response answer = readHead();
    boolean bodiless = head || answer.status == 304 || answer.status == 204 || answer.status < 200;
    return bodiless ? answer : new Response(answer.status, answer.headers, body(answer.headers));
  }

  /** Reads an answer up to its body, and leaves that. */
  Response readHead() throws IOException {
    String statusLine = line();
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int status = Integer.parseInt(statusLine.split(" ", 3)[1]);
    return new Response(status, headers, new byte[0]);
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    String length = headers.get("content-length");
    if (length != null) {
      return in.readNBytes(Integer.parseInt(length));
    }
    if (!headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
      return in.readAllBytes();
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (byte[] chunk = readChunk(); chunk.length > 0; chunk = readChunk()) {
      body.write(chunk);
    }
    return body.toByteArray();
  }

  /** Reads the next chunk of a body; the last one is empty. */
  byte[] readChunk() throws IOException {
    byte[] chunk = in.readNBytes(chunkSize());
    line();
    return chunk;
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("closed after '" + line + "'");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** Whether the node ends the connection without another byte. */
  boolean isClosedByNode() throws IOException {
    try {
      return in.read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  /** Ends it with a reset, as a client that crashes. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
