package dev.kvorum.backup.tool;

import dev.kvorum.cli.CommandException;
import dev.kvorum.cli.CommandLines;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command {@code kvorum-backup}. */
@Command(
    name = "kvorum-backup",
    description = "Backs a Kvorum cluster up to an object store, and restores it.",
    mixinStandardHelpOptions = true,
    versionProvider = KvorumBackup.JarVersion.class,
    sortOptions = false,
    subcommands = {
      CreateCommand.class,
      ListCommand.class,
      ShowCommand.class,
      VerifyCommand.class,
      RestoreCommand.class,
      CompareCommand.class,
      ExtractCommand.class,
      PruneCommand.class,
      KeygenCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all of it is done",
      "2:the command is wrong",
      "3:it failed, or not all is done"
    },
    footer = {
      "",
      "Stores: file:///directory, or s3://bucket/prefix?endpoint=https://host:port&region=name with"
          + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment."
    })
public final class KvorumBackup {
  KvorumBackup() {}

  /** The version in the jar's manifest. */
  static final class JarVersion implements IVersionProvider {
    JarVersion() {}

    @Override
    public String[] getVersion() {
      return CommandLines.version("kvorum-backup", KvorumBackup.class);
    }
  }

  static CommandException failed(String message) {
    return new CommandException(CommandException.FAILED, message);
  }

  static CommandException wrong(String message) {
    return new CommandException(CommandException.WRONG, message);
  }

  static CommandLine commandLine() {
    return CommandLines.of(new KvorumBackup());
  }

  /** Runs a command and exits with its code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }
}
