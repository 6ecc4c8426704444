package dev.kvorum.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code kv}. Its subcommands are requests to a cluster. */
@Command(
    name = "kv",
    description = "Reads and writes keys of a Kvorum cluster.",
    mixinStandardHelpOptions = true,
    versionProvider = Kv.JarVersion.class,
    sortOptions = false,
    subcommands = {
      PutCommand.class,
      GetCommand.class,
      RemoveCommand.class,
      ListCommand.class,
      ExplainCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:there is no such key",
      "2:the command is wrong",
      "3:it failed; a write has stored nothing",
      "4:whether a write is stored is unknown"
    },
    footer = {
      "",
      "For scripts: values go to the output as they are, messages to the error output."
    })
public final class Kv {
  static final int MISSING = 1;
  static final int WRONG = 2;
  static final int FAILED = 3;
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

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      scope = CommandLine.ScopeType.INHERIT,
      description =
          "PEM file of the CA of the nodes' certificates, for https; default $KVORUM_CA, or those"
              + " that Java trusts")
  private @Nullable Path ca;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      scope = CommandLine.ScopeType.INHERIT,
      description =
          "file with the token of a user, where nodes have users; default the token in $KVORUM_TOKEN")
  private @Nullable Path tokenFile;

  Kv() {}

  /** The version in the jar's manifest. */
  static final class JarVersion implements IVersionProvider {
    JarVersion() {}

    @Override
    public String[] getVersion() {
      String version = Kv.class.getPackage().getImplementationVersion();
      return new String[] {"kv " + Objects.requireNonNullElse(version, "not packed")};
    }
  }

  ApiClient client() {
    String variable = System.getenv("KVORUM_CA");
    Path file = ca == null && variable != null ? Path.of(variable) : ca;
    return ApiClient.of(url, file == null ? null : TrustedCertificates.of(file), token());
  }

  /** The token of a user. Not an argument: others on the machine can see those. */
  private Optional<String> token() {
    if (tokenFile == null) {
      return Optional.ofNullable(System.getenv("KVORUM_TOKEN"))
          .filter(it -> !it.isEmpty())
          .map(it -> word("$KVORUM_TOKEN", it));
    }
    try {
      return Optional.of(word(tokenFile.toString(), Files.readString(tokenFile)));
    } catch (IOException e) {
      throw new KvException(WRONG, tokenFile + " cannot be read");
    }
  }

  static String word(String source, String text) {
    String token = text.strip();
    if (token.isEmpty() || token.chars().anyMatch(letter -> letter <= ' ' || letter > '~')) {
      throw new KvException(WRONG, source + " has no token: one word of ASCII characters");
    }
    return token;
  }

  /** The command line, with errors as one line on the error output. */
  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Kv());
    line.setExecutionExceptionHandler((failure, command, parsed) -> {
      if (failure instanceof KvException known) {
        command.getErr().println(known.getMessage());
        return known.exitCode();
      }
      throw failure;
    });
    line.setParameterExceptionHandler((wrong, arguments) -> wrong(wrong));
    return line;
  }

  private static int wrong(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(wrong.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return WRONG;
  }

  /** Runs a command and exits with its code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }
}
