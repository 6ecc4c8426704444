package dev.kvorum.cli;

import java.io.IOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code kv}. Its subcommands are requests to a cluster. */
@Command(
    name = "kv",
    description = "Reads and writes keys of a Kvorum cluster.",
    mixinStandardHelpOptions = true,
    versionProvider = Kv.JarVersion.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:there is no such key",
      "2:the command is wrong",
      "3:it failed; a write has stored nothing, or only the output could not be written",
      "4:whether a write is stored is unknown"
    },
    footer = {
      "",
      "For scripts: values go to the output as they are, messages to the error output."
    })
public final class Kv implements Connector {
  /** The names of the verbs. */
  public static final List<String> VERBS = List.of("put", "get", "rm", "ls", "explain");

  static final int MISSING = 1;
  static final int WRONG = CommandException.WRONG;
  static final int FAILED = CommandException.FAILED;
  static final int UNKNOWN = 4;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${env:KVORUM_URL:-http://localhost:8080}",
      scope = CommandLine.ScopeType.INHERIT,
      description =
          "address of a node's public port, several separated by commas: the next one is used if one"
              + " cannot be connected; default $KVORUM_URL, or http://localhost:8080")
  private String url = "";

  @Mixin private final ClientAccess access = new ClientAccess();

  Kv() {}

  /** The version in the jar's manifest. */
  static final class JarVersion implements IVersionProvider {
    JarVersion() {}

    @Override
    public String[] getVersion() {
      return CommandLines.version("kv", Kv.class);
    }
  }

  @Override
  public int connected(Verb verb) throws IOException {
    return verb.run(ApiClient.of(url, access.tls().orElse(null), access.token()));
  }

  /** The command line of a verb. */
  public static CommandLine verb(String name, Connector connector) {
    return new CommandLine(
        switch (name) {
          case "put" -> new PutCommand(connector);
          case "get" -> new GetCommand(connector);
          case "rm" -> new RemoveCommand(connector);
          case "ls" -> new ListCommand(connector);
          case "explain" -> new ExplainCommand(connector);
          default -> throw new IllegalArgumentException(name);
        });
  }

  static CommandLine commandLine() {
    Kv kv = new Kv();
    return CommandLines.of(kv, VERBS.stream().map(name -> verb(name, kv)).toList());
  }

  /** Runs a command and exits with its code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }
}
