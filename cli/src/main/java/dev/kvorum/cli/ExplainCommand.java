package dev.kvorum.cli;

import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Explains a key. */
@Command(
    name = "explain",
    description = "Tells what each replica of a key has, and why it is read as it is.")
final class ExplainCommand extends ApiCommand {
  private static final String ROW = "%-16s %-18s %-24s  %-24s %9s  %-8s %5s%n";

  @Parameters(paramLabel = "KEY", description = "the key")
  private String key = "";

  @Option(names = "--json", description = "the response of the node as it is")
  private boolean json;

  @Mixin private QuorumOptions quorum = new QuorumOptions();

  ExplainCommand(Connector connector) {
    super(connector);
  }

  @Override
  int run(ApiClient client) {
    HttpResponse<byte[]> response = client.get(ApiClient.path("explain", quorum.with(key)));
    if (response.statusCode() != 200) {
      throw ApiClient.failure(response, "GET");
    }
    if (json) {
      out().print(new String(response.body(), StandardCharsets.UTF_8));
      out().flush();
    } else {
      print(JsonMapper.shared().readTree(response.body()));
    }
    return 0;
  }

  private void print(JsonNode report) {
    PrintWriter out = out();
    out.println(report.path("explanation").asString());
    out.printf(
        "slot %d, epoch %d, %s%n%n",
        report.path("slot").asInt(),
        report.path("epoch").asLong(),
        report.path("phase").asString().toLowerCase(Locale.ROOT));
    out.printf(ROW, "REPLICA", "RECORD", "VERSION", "WRITTEN", "BYTES", "CHECKSUM", "HINTS");
    for (JsonNode replica : report.path("replicas")) {
      out.printf(
          ROW,
          replica.path("member").asString(),
          replica.path("record").asString(),
          replica.path("version").asString("-"),
          replica.path("written").asString("-"),
          replica.path("bytes").asString("-"),
          replica.path("checksum").asString("-"),
          replica.path("hintsWaiting").asString("0"));
    }
    out.flush();
  }
}
