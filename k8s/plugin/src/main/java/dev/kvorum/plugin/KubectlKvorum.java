package dev.kvorum.plugin;

import dev.kvorum.cli.CommandException;
import dev.kvorum.cli.CommandLines;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IVersionProvider;

/** The command {@code kubectl kvorum}. */
@Command(
    name = "kubectl kvorum",
    description = "Shows and operates Kvorum clusters on Kubernetes.",
    mixinStandardHelpOptions = true,
    versionProvider = KubectlKvorum.JarVersion.class,
    sortOptions = false,
    subcommands = {
      StatusCommand.class,
      RestartCommand.class,
      ReplaceCommand.class,
      RemoveCommand.class,
      TopologyCommand.class,
      ReportCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:there is no such key",
      "2:the command is wrong",
      "3:it failed",
      "4:whether a write is stored is unknown"
    })
public final class KubectlKvorum {
  private static final List<String> KEY_VERBS = List.of("get", "put", "rm", "ls", "explain");

  KubectlKvorum() {}

  /** The version in the jar's manifest. */
  static final class JarVersion implements IVersionProvider {
    JarVersion() {}

    @Override
    public String[] getVersion() {
      return CommandLines.version("kubectl kvorum", KubectlKvorum.class);
    }
  }

  static CommandLine commandLine() {
    CommandLine line = CommandLines.of(new KubectlKvorum());
    for (String verb : KEY_VERBS) {
      line.addSubcommand(verb, KeyCommand.of(verb));
    }
    IExecutionExceptionHandler others = line.getExecutionExceptionHandler();
    line.setExecutionExceptionHandler((failure, command, parsed) -> {
      if (failure instanceof KubernetesClientException rejected) {
        command.getErr().println(Target.sentence(rejected));
        return CommandException.FAILED;
      }
      return others.handleExecutionException(failure, command, parsed);
    });
    return line;
  }

  /** Runs a command and exits with its code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }
}
