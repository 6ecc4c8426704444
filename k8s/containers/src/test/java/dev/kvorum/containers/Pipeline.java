package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;

/** Requests over several connections, a batch at a time on each, for data sets of some size. */
final class Pipeline implements AutoCloseable {
  /** At most this many bytes of values, or one value, are on their way on a connection. */
  private static final int BATCH_BYTES = 64 << 10;

  private static final int BATCH_MAX = 100;
  private static final int READ_MILLIS_MAX = 30_000;

  /** How long a batch is sent again while a busy disk has requests rejected or time out. */
  private static final Duration REPEATED_MAX = Duration.ofSeconds(60);

  private final List<Connection> connections = new ArrayList<>();

  Pipeline(String address, int count) throws IOException {
    String[] parts = address.split(":", 2);
    for (int i = 0; i < count; i++) {
      Socket socket = new Socket(parts[0], Integer.parseInt(parts[1]));
      socket.setSoTimeout(READ_MILLIS_MAX);
      connections.add(new Connection(socket));
    }
  }

  void putAll(String prefix, int keys, int valueBytes) throws Exception {
    byte[] value = new byte[valueBytes];
    Arrays.fill(value, (byte) 'v');
    all(keys, valueBytes, (connection, key) -> connection.put(prefix + key, value), 201, 0);
  }

  void getAll(String prefix, int keys, int valueBytes) throws Exception {
    all(keys, valueBytes, (connection, key) -> connection.get(prefix + key), 200, valueBytes);
  }

  private interface Request {
    void send(Connection connection, int key) throws IOException;
  }

  private void all(int keys, int bytes, Request request, int status, int length)
      throws InterruptedException, ExecutionException {
    int batch = Math.clamp(BATCH_BYTES / bytes, 1, BATCH_MAX);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> parts = new ArrayList<>();
      for (int i = 0; i < connections.size(); i++) {
        int first = (int) ((long) keys * i / connections.size());
        int end = (int) ((long) keys * (i + 1) / connections.size());
        Connection connection = connections.get(i);
        parts.add(
            threads.submit(() -> {
              for (int key = first; key < end; key += batch) {
                int from = key;
                int until = Math.min(end, key + batch);
                Awaitility.await("keys from " + from)
                    .atMost(REPEATED_MAX)
                    .pollDelay(Duration.ZERO)
                    .until(() -> connection.exchange(request, from, until, status, length));
              }
              return null;
            }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    }
  }

  /** One connection. */
  private static final class Connection {
    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;

    Connection(Socket socket) throws IOException {
      this.socket = socket;
      this.out = new BufferedOutputStream(socket.getOutputStream(), BATCH_BYTES);
      this.in = new BufferedInputStream(socket.getInputStream(), BATCH_BYTES);
    }

    void put(String key, byte[] value) throws IOException {
      head("PUT", key, "Content-Length: " + value.length + "\r\n");
      out.write(value);
    }

    void get(String key) throws IOException {
      head("GET", key, "");
    }

    private void head(String method, String key, String more) throws IOException {
      String head =
          method + " /v0/entity?id=" + key + " HTTP/1.1\r\nHost: kvorum\r\n" + more + "\r\n";
      out.write(head.getBytes(StandardCharsets.US_ASCII));
    }

    void flush() throws IOException {
      out.flush();
    }

    /** Sends a batch; returns whether all requests were served, as a busy disk may prevent. */
    boolean exchange(Request request, int from, int until, int status, int length)
        throws IOException {
      for (int key = from; key < until; key++) {
        request.send(this, key);
      }
      flush();
      boolean isServed = true;
      for (int key = from; key < until; key++) {
        isServed &= isServed(status, length);
      }
      return isServed;
    }

    private boolean isServed(int status, int length) throws IOException {
      String first = line();
      int bytes = 0;
      for (String header = line(); !header.isEmpty(); header = line()) {
        if (header.regionMatches(true, 0, "content-length:", 0, 15)) {
          bytes = Integer.parseInt(header.substring(15).strip());
        }
      }
      byte[] body = in.readNBytes(bytes);
      if (first.startsWith("HTTP/1.1 503 ") || first.startsWith("HTTP/1.1 504 ")) {
        return false;
      }
      assertThat(first)
          .as(() -> new String(body, StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 " + status + " ");
      assertThat(bytes).isGreaterThanOrEqualTo(length);
      return true;
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new IOException("the node closed the connection");
        }
        if (next != '\r') {
          line.append((char) next);
        }
      }
      return line.toString();
    }
  }

  @Override
  public void close() throws IOException {
    for (Connection connection : connections) {
      connection.socket.close();
    }
  }
}
