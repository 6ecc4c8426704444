package dev.kvorum.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Command lines of which each error, also that of the output, is one line on the error output. */
public final class CommandLines {
  /** What Java makes of bytes that are no character of the locale. */
  private static final char REPLACEMENT = '\uFFFD';

  private CommandLines() {}

  /** The command line of an annotated command. */
  public static CommandLine of(Object command) {
    return of(command, List.of());
  }

  /** The command line of an annotated command with further subcommands. */
  public static CommandLine of(Object command, List<CommandLine> more) {
    CommandLine line = new CommandLine(command);
    more.forEach(line::addSubcommand);
    line.setExecutionStrategy(parsed -> {
      rejectReplaced(parsed);
      return withOutput(new CommandLine.RunLast().execute(parsed), parsed);
    });
    line.setExecutionExceptionHandler((failure, failed, parsed) -> {
      if (failure instanceof CommandException known) {
        failed.getErr().println(known.getMessage());
        return known.exitCode();
      } else if (failure instanceof IOException unreadable) {
        failed.getErr().println(sentence(unreadable));
        return CommandException.FAILED;
      }
      throw failure;
    });
    line.setParameterExceptionHandler((wrong, arguments) -> wrong(wrong));
    return line;
  }

  /** Different bytes would be the same key, or the same value. */
  private static void rejectReplaced(ParseResult parsed) {
    for (String argument : parsed.originalArgs()) {
      if (argument.indexOf(REPLACEMENT) >= 0) {
        throw new ParameterException(
            parsed.commandSpec().commandLine(),
            "'"
                + argument
                + "' has characters that cannot be read: arguments must be UTF-8, and the locale's"
                + " charset too, such as LC_ALL=C.UTF-8 (it is "
                + System.getProperty("sun.jnu.encoding")
                + ")");
      }
    }
  }

  /** A script must not take an output for complete that a full disk has cut. */
  private static int withOutput(int exitCode, ParseResult parsed) {
    boolean isLost = false;
    for (CommandLine command : parsed.asCommandLineList()) {
      isLost |= command.getOut().checkError();
    }
    isLost |= System.out.checkError();
    if (!isLost || exitCode != 0) {
      return exitCode;
    }
    parsed.commandSpec().commandLine().getErr().println("cannot write the output");
    return CommandException.FAILED;
  }

  /** What went wrong with a file or a connection. */
  public static String sentence(IOException failure) {
    String message = Objects.requireNonNullElse(failure.getMessage(), "");
    return switch (failure) {
      case NoSuchFileException missing -> "There is no " + missing.getFile();
      case AccessDeniedException denied -> denied.getFile() + " is not permitted";
      case MalformedInputException _ -> "it is not UTF-8";
      default -> message.isEmpty() ? failure.getClass().getSimpleName() : message;
    };
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
