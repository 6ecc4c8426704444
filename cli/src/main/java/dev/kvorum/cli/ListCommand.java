package dev.kvorum.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/** Lists keys. */
@Command(
    name = "ls",
    description = {
      "Lists the keys that begin with a prefix, in the order of their bytes, one a line.",
      "Control characters and backslashes are escaped as in JSON: a newline is \\u000a."
    })
final class ListCommand extends ApiCommand {
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\x00-\\x1f\\x7f\\\\]");

  @Parameters(
      arity = "0..1",
      paramLabel = "PREFIX",
      description = "what the keys begin with; all keys without it")
  private String prefix = "";

  @Option(
      names = {"-l", "--long"},
      description = "also the time of the write, the length in bytes and the expiry")
  private boolean detailed;

  @Option(names = "--limit", paramLabel = "N", description = "at most N keys")
  private @Nullable Long limit;

  @Option(
      names = {"-r", "--reverse"},
      description = "from the last key to the first")
  private boolean reverse;

  @Option(names = "--count", description = "the number of keys instead of the keys")
  private boolean count;

  ListCommand(Connector connector) {
    super(connector);
  }

  @Override
  int run(ApiClient client) throws IOException {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("prefix", prefix);
    if (limit != null) {
      parameters.put("limit", limit);
    }
    if (reverse && !count) {
      parameters.put("reverse", true);
    }
    if (count) {
      parameters.put("count", true);
    } else {
      parameters.put("format", "ndjson");
      parameters.put("values", false);
    }
    HttpResponse<InputStream> response =
        client.get(
            ApiClient.path("entities", parameters),
            BodyHandlers.ofInputStream(),
            count ? ApiClient.COUNT_TIMEOUT : ApiClient.TIMEOUT);
    try (InputStream body = response.body()) {
      if (response.statusCode() != 200) {
        throw ApiClient.failure(response.statusCode(), body.readAllBytes(), "GET");
      }
      print(body);
    }
    out().flush();
    return 0;
  }

  private void print(InputStream body) {
    try (MappingIterator<JsonNode> lines =
        JsonMapper.shared().readerFor(JsonNode.class).readValues(body)) {
      while (lines.hasNext()) {
        JsonNode line = lines.next();
        if (line.has("incomplete")) {
          throw incomplete(line.path("detail").asString());
        }
        out().println(count ? line.path("count").asString() : row(line));
      }
    } catch (JacksonException e) {
      throw incomplete("the node ended the connection");
    }
  }

  private CommandException incomplete(String reason) {
    out().flush();
    return new CommandException(Kv.FAILED, "the list is incomplete: " + reason);
  }

  private String row(JsonNode record) {
    String key = printable(record.path("key").asString());
    if (!detailed) {
      return key;
    }
    String expires =
        record.has("expires")
            ? "  until " + Instant.ofEpochMilli(record.path("expires").asLong())
            : "";
    return written(record.path("version").asString())
        + String.format("%10d  ", record.path("bytes").asLong())
        + key
        + expires;
  }

  /** The first 48 bits of a version are Unix milliseconds. */
  private static String written(String version) {
    return String.format(
        "%-24s", Instant.ofEpochMilli(Long.parseLong(version.substring(0, 12), 16)));
  }

  private static String printable(String key) {
    return UNPRINTABLE
        .matcher(key)
        .replaceAll(found -> String.format("\\\\u%04x", (int) found.group().charAt(0)));
  }
}
