package dev.kvorum.plugin;

import dev.kvorum.cli.CommandException;
import dev.kvorum.cli.CommandLines;
import dev.kvorum.cli.Kv;
import io.fabric8.kubernetes.client.KubernetesClientException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;

/** The command {@code kubectl kvorum}. */
@Command(
    name = "kubectl kvorum",
    description = "Shows and operates Kvorum clusters on Kubernetes.",
    mixinStandardHelpOptions = true,
    versionProvider = KubectlKvorum.JarVersion.class,
    sortOptions = false,
    subcommands = {
      StatusCommand.class,
      PlanCommand.class,
      RestartCommand.class,
      ReplaceCommand.class,
      RemoveCommand.class,
      TopologyCommand.class,
      ReportCommand.class,
      VersionCommand.class
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
  @Mixin private final TargetOption option = new TargetOption();

  KubectlKvorum() {}

  TargetOption option() {
    return option;
  }

  /** The version in the jar's manifest. */
  static final class JarVersion implements IVersionProvider {
    JarVersion() {}

    @Override
    public String[] getVersion() {
      return CommandLines.version("kubectl kvorum", KubectlKvorum.class);
    }
  }

  static CommandLine commandLine() {
    KubectlKvorum root = new KubectlKvorum();
    CommandLine line =
        CommandLines.of(
            root, Kv.VERBS.stream().map(verb -> KeyAccess.verb(verb, root.option)).toList());
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
