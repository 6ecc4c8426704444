package dev.kvorum.cli;

import java.net.http.HttpResponse;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Reads a value. */
@Command(name = "get", description = "Writes a value to the output, byte for byte.")
final class GetCommand extends ApiCommand {
  @Parameters(paramLabel = "KEY", description = "the key")
  private String key = "";

  @Mixin private QuorumOptions quorum = new QuorumOptions();

  GetCommand(Connector connector) {
    super(connector);
  }

  @Override
  int run(ApiClient client) {
    HttpResponse<byte[]> response = client.get(ApiClient.path("entity", quorum.with(key)));
    if (response.statusCode() == 404) {
      throw new CommandException(Kv.MISSING, "there is no key " + key);
    } else if (response.statusCode() != 200) {
      throw ApiClient.failure(response, "GET");
    }
    System.out.write(response.body(), 0, response.body().length);
    System.out.flush();
    return 0;
  }
}
