package dev.kvorum.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A subcommand that sends requests. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class ApiCommand implements Callable<Integer> {
  private final Connector connector;

  @Spec private @Nullable CommandSpec spec;

  ApiCommand(Connector connector) {
    this.connector = connector;
  }

  /** Returns the exit code. */
  abstract int run(ApiClient client) throws IOException;

  @Override
  public final Integer call() throws IOException {
    return connector.connected(this::run);
  }

  PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }
}
