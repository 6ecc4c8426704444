package dev.kvorum.backup.comparison;

import dev.kvorum.backup.Pace;
import dev.kvorum.backup.PacedStream;
import dev.kvorum.cli.ApiClient;
import dev.kvorum.cli.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/**
 * The records of a cluster by range requests. A stream that ends early is resumed behind its last
 * record. Confined to one thread.
 */
public final class ClusterRecords implements RecordSource, AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** Another node, or the same one later, may respond otherwise. */
  private static final Set<Integer> TRANSIENT = Set.of(429, 500, 502, 503, 504);

  private final ApiClient client;
  private final String prefix;
  private final Pace pace;
  private final Duration retryFor;
  private String resume = "";
  private @Nullable MappingIterator<JsonNode> lines;
  private long failingSince;
  private boolean isFailing;

  /**
   * The records of a cluster.
   *
   * @param prefix what the keys begin with
   * @param pace limits the bytes that are read
   * @param retryFor longest time without a record
   */
  public ClusterRecords(ApiClient client, String prefix, Pace pace, Duration retryFor) {
    this.client = client;
    this.prefix = prefix;
    this.pace = pace;
    this.retryFor = retryFor;
  }

  /** A response, or a stream, which another attempt may complete. */
  private static final class IncompleteException extends IOException {
    private static final long serialVersionUID = 1L;

    IncompleteException(String message) {
      super(message);
    }
  }

  @Override
  public @Nullable ReadRecord next() throws IOException, InterruptedException {
    while (true) {
      try {
        ReadRecord record = read();
        isFailing = false;
        return record;
      } catch (IncompleteException e) {
        close();
        pauseAfter(e);
      }
    }
  }

  private @Nullable ReadRecord read() throws IOException {
    try {
      MappingIterator<JsonNode> from = lines == null ? open() : lines;
      lines = from;
      if (!from.hasNext()) {
        return null;
      }
      JsonNode line = from.next();
      if (line.has("incomplete")) {
        throw new IncompleteException(line.path("detail").asString());
      }
      resume = line.path("resume").asString();
      return ReadRecord.of(line);
    } catch (JacksonException e) {
      throw new IncompleteException("a node ended the connection");
    }
  }

  private MappingIterator<JsonNode> open() throws IOException {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("prefix", prefix);
    parameters.put("format", "ndjson");
    if (!resume.isEmpty()) {
      parameters.put("resume", resume);
    }
    HttpResponse<InputStream> response;
    try {
      response =
          client.get(
              ApiClient.path("entities", parameters),
              BodyHandlers.ofInputStream(),
              ApiClient.TIMEOUT);
    } catch (CommandException e) {
      throw new IncompleteException(String.valueOf(e.getMessage()));
    }
    if (response.statusCode() == 200) {
      return JsonMapper.shared()
          .readerFor(JsonNode.class)
          .readValues(new PacedStream(response.body(), pace));
    }
    try (InputStream body = response.body()) {
      CommandException failure =
          ApiClient.failure(response.statusCode(), body.readAllBytes(), "GET");
      if (TRANSIENT.contains(response.statusCode())) {
        throw new IncompleteException(String.valueOf(failure.getMessage()));
      }
      throw failure;
    }
  }

  private void pauseAfter(IncompleteException failure) throws IOException, InterruptedException {
    long now = System.nanoTime();
    failingSince = isFailing ? failingSince : now;
    isFailing = true;
    if (now - failingSince > retryFor.toNanos()) {
      throw new IOException("the records cannot be read: " + failure.getMessage());
    }
    Thread.sleep(PAUSE);
  }

  @Override
  public void close() {
    if (lines != null) {
      lines.close();
      lines = null;
    }
  }
}
