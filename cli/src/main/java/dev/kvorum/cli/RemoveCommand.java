package dev.kvorum.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes keys. */
@Command(name = "rm", description = "Deletes keys, whether or not they exist.")
final class RemoveCommand extends ApiCommand {
  @Parameters(arity = "1..*", paramLabel = "KEY", description = "the keys, deleted one by one")
  private List<String> keys = List.of();

  @Mixin private QuorumOptions quorum = new QuorumOptions();

  RemoveCommand(Connector connector) {
    super(connector);
  }

  @Override
  int run(ApiClient client) {
    for (String key : keys) {
      try {
        client.delete(ApiClient.path("entity", quorum.with(key)));
      } catch (CommandException e) {
        throw new CommandException(e.exitCode(), key + ": " + e.getMessage());
      }
    }
    return 0;
  }
}
