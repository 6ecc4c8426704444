package dev.kvorum.cli;

import java.io.PrintWriter;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Command lines of which each error is one line on the error output. */
public final class CommandLines {
  private CommandLines() {}

  /** The command line of an annotated command. */
  public static CommandLine of(Object command) {
    CommandLine line = new CommandLine(command);
    line.setExecutionExceptionHandler((failure, failed, parsed) -> {
      if (failure instanceof CommandException known) {
        failed.getErr().println(known.getMessage());
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
    return CommandException.WRONG;
  }

  /** The version in the manifest of the jar of a command. */
  public static String[] version(String name, Class<?> command) {
    String version = command.getPackage().getImplementationVersion();
    return new String[] {name + " " + Objects.requireNonNullElse(version, "not packed")};
  }
}
