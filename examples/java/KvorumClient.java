// A client of Kvorum with the JDK alone (21 or newer): java KvorumClient.java
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public final class KvorumClient {
  /** A write may or may not be stored. */
  static final class UnknownOutcome extends IOException {
    UnknownOutcome(String message) {
      super(message);
    }
  }

  /** The key is as JSON escapes it; use a JSON library to unescape it. */
  record Entry(String escapedKey, byte[] value, String resume) {}

  private static final Set<Integer> RETRIED = Set.of(408, 500, 503, 504);
  private static final Pattern LINE =
      Pattern.compile("\\{\"key\":\"(.*)\",\"value\":\"(.*)\",\"version\":\"(.*)\",\"resume\":\"(.*)\"}");

  private final String url;
  private final Duration deadline = Duration.ofSeconds(30);
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  KvorumClient(String url) {
    this.url = url;
  }

  /** Sends a request with its retries; repeat: whether an unknown write is sent again. */
  private HttpResponse<InputStream> send(HttpRequest request, boolean repeat)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + deadline.toNanos();
    boolean write = !request.method().equals("GET");
    for (long pause = 50; ; pause = Math.min(2 * pause, 5_000)) {
      long wait = ThreadLocalRandom.current().nextLong(pause / 2, 2 * pause);
      boolean unknown = true;
      String failure;
      try {
        HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
        if (!RETRIED.contains(response.statusCode())) {
          return response;
        }
        unknown = response.statusCode() == 500 || response.statusCode() == 504;
        failure = text(response);
        wait = response.headers().firstValueAsLong("retry-after").orElse(0) * 1_000 + wait;
      } catch (IOException e) {
        failure = e.toString();
      }
      if ((unknown && write && !repeat) || System.nanoTime() + wait * 1_000_000 > end) {
        throw unknown && write ? new UnknownOutcome(failure) : new IOException(failure);
      }
      Thread.sleep(wait);
    }
  }

  private static String text(HttpResponse<InputStream> response) throws IOException {
    try (InputStream body = response.body()) {
      return response.statusCode() + " " + new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(10));
  }

  private HttpRequest.Builder entity(String key) {
    return request("/v0/entity?id=" + encoded(key));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpResponse<InputStream> expect(Set<Integer> codes, HttpRequest request, boolean repeat)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> response = send(request, repeat);
    if (!codes.contains(response.statusCode())) {
      throw new IOException(text(response));
    }
    return response;
  }

  private static String version(HttpResponse<?> response) {
    return response.headers().firstValue("etag").orElseThrow();
  }

  /** The version of the write. */
  String put(String key, byte[] value, boolean repeat) throws IOException, InterruptedException {
    HttpRequest request = entity(key).PUT(BodyPublishers.ofByteArray(value)).build();
    HttpResponse<InputStream> response = expect(Set.of(201), request, repeat);
    response.body().close();
    return version(response);
  }

  /** The value; null if there is none. */
  byte[] get(String key) throws IOException, InterruptedException {
    HttpResponse<InputStream> response = expect(Set.of(200, 404), entity(key).build(), true);
    try (InputStream body = response.body()) {
      byte[] bytes = body.readAllBytes();
      return response.statusCode() == 404 ? null : bytes;
    }
  }

  /** Whether the key has another version than this one. */
  boolean isChanged(String key, String known) throws IOException, InterruptedException {
    HttpRequest request = entity(key).header("If-None-Match", known).build();
    HttpResponse<InputStream> response = expect(Set.of(200, 304, 404), request, true);
    response.body().close();
    return response.statusCode() != 304;
  }

  void delete(String key) throws IOException, InterruptedException {
    expect(Set.of(202), entity(key).DELETE().build(), true).body().close();
  }

  /** All records from start to end, resumed where a stream ends early. */
  void range(String start, String end, Consumer<Entry> each)
      throws IOException, InterruptedException {
    String position = "start=" + encoded(start);
    for (int attempt = 0; attempt < 10; attempt++) {
      HttpRequest request =
          request("/v0/entities?" + position + "&end=" + encoded(end))
              .header("Accept", "application/x-ndjson")
              .build();
      HttpResponse<InputStream> response = expect(Set.of(200), request, true);
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
        boolean complete = true;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          Matcher record = LINE.matcher(line);
          if (!record.matches()) {
            complete = false; // {"incomplete":…}, or cut off in the middle
            break;
          }
          position = "resume=" + record.group(4);
          byte[] value = Base64.getDecoder().decode(record.group(2));
          each.accept(new Entry(record.group(1), value, record.group(4)));
        }
        if (complete) {
          return;
        }
      } catch (IOException e) {
        // The connection ended before the last chunk.
      }
      Thread.sleep(100L << attempt);
    }
    throw new IOException("the range stays incomplete");
  }

  private static void check(boolean right) {
    if (!right) {
      throw new AssertionError();
    }
  }

  public static void main(String[] args) throws Exception {
    KvorumClient kvorum =
        new KvorumClient(System.getenv().getOrDefault("KVORUM_URL", "http://localhost:8080"));
    String prefix = "java:" + UUID.randomUUID() + ":";
    String key = prefix + "grün & co";
    String value = "from " + ProcessHandle.current().pid() + ", write 1";

    String version = kvorum.put(key, value.getBytes(StandardCharsets.UTF_8), true);
    check(new String(kvorum.get(key), StandardCharsets.UTF_8).equals(value));
    check(!kvorum.isChanged(key, version));

    // A write that is not repeated: afterwards a read that returns the value proves that it is stored.
    try {
      kvorum.put(key, (value + " again").getBytes(StandardCharsets.UTF_8), false);
      check(kvorum.isChanged(key, version));
    } catch (UnknownOutcome e) {
      System.out.println("unknown: " + e.getMessage());
    }

    for (int i = 0; i < 5; i++) {
      kvorum.put(prefix + "n" + i, new byte[] {(byte) i}, true);
    }
    List<Entry> found = new ArrayList<>();
    kvorum.range(prefix + "n", prefix + "o", found::add);
    check(found.size() == 5);
    for (int i = 0; i < 5; i++) {
      check(found.get(i).escapedKey().equals(prefix + "n" + i) && found.get(i).value()[0] == i);
      kvorum.delete(prefix + "n" + i);
    }
    kvorum.delete(key);
    check(kvorum.get(key) == null);
    System.out.println("java: ok");
  }
}
