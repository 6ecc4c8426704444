package dev.kvorum.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stores a value. */
@Command(name = "put", description = "Stores a value and prints its version.")
final class PutCommand extends ApiCommand {
  @Parameters(index = "0", paramLabel = "KEY", description = "1 to 1024 bytes of UTF-8")
  private String key = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VALUE",
      description = "the value; without it and --file, the input is read to its end")
  private @Nullable String value;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "a file with the value")
  private @Nullable Path file;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "how long it lives, with a unit: 500ms, 90s, 5m, 2h, 30d")
  private @Nullable Duration ttl;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "its Content-Type, which GET returns, such as application/json")
  private @Nullable String type;

  @Mixin private QuorumOptions quorum = new QuorumOptions();

  PutCommand(Connector connector) {
    super(connector);
  }

  @Override
  int run(ApiClient client) throws IOException {
    Map<String, Object> parameters = quorum.with(key);
    if (ttl != null) {
      parameters.put("ttl", ttl.toMillis());
    }
    out().println(client.put(ApiClient.path("entity", parameters), body(), type));
    return 0;
  }

  private BodyPublisher body() throws IOException {
    if (value != null && file != null) {
      throw wrong("Give either VALUE or --file, not both");
    } else if (value != null) {
      return BodyPublishers.ofString(value);
    } else if (file == null) {
      return BodyPublishers.ofByteArray(System.in.readAllBytes());
    }
    try {
      return BodyPublishers.ofFile(file);
    } catch (FileNotFoundException e) {
      throw wrong("There is no file " + file);
    }
  }
}
