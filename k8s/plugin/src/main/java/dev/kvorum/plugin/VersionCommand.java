package dev.kvorum.plugin;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code version}. */
@Command(
    name = "version",
    description = "Prints the version of this command, as --version does.",
    mixinStandardHelpOptions = true,
    versionProvider = KubectlKvorum.JarVersion.class,
    sortOptions = false)
final class VersionCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  VersionCommand() {}

  @Override
  public Integer call() {
    spec.commandLine().printVersionHelp(spec.commandLine().getOut());
    return 0;
  }
}
