package dev.kvorum.cli;

import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** A subcommand that sends requests. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class ApiCommand implements Callable<Integer> {
  @ParentCommand private @Nullable Kv kv;
  @Spec private @Nullable CommandSpec spec;

  ApiClient client() {
    return Objects.requireNonNull(kv).client();
  }

  PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }
}
