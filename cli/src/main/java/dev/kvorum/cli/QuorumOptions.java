package dev.kvorum.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The quorum of a request for one key. */
final class QuorumOptions {
  @Option(
      names = "--ack",
      paramLabel = "A",
      description = "replicas that must confirm; by default more than half of --from")
  private @Nullable Integer ack;

  @Option(
      names = "--from",
      paramLabel = "F",
      description = "copies; by default 3, or the number of members if there are fewer")
  private @Nullable Integer from;

  /** Parameters of a request for a key. */
  Map<String, Object> with(String key) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("id", key);
    if (ack != null) {
      parameters.put("ack", ack);
    }
    if (from != null) {
      parameters.put("from", from);
    }
    return parameters;
  }
}
