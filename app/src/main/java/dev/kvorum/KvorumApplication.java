package dev.kvorum;

import dev.kvorum.boot.CommandLine;
import dev.kvorum.boot.NodeConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The program of a node: settings, HTTP server, health and metrics by Spring Boot. */
@EnableAutoConfiguration
@Import(NodeConfiguration.class)
public class KvorumApplication {
  private static final int WRONG_USAGE = 2;

  private static final String NAMES_KEPT_SECONDS = "1";

  private static volatile boolean started;

  /** Runs a node until it is stopped, or prints what it is asked for. */
  public static void main(String[] arguments) throws IOException {
    Optional<CommandLine.Output> output = CommandLine.output(arguments);
    if (output.isPresent()) {
      print(output.get());
      return;
    }
    Optional<String> mistake = CommandLine.mistake(arguments);
    if (mistake.isPresent()) {
      System.err.println("kvorum-node: " + mistake.get());
      System.exit(WRONG_USAGE);
    }
    forgetAddressesSoon();
    // By default, the JVM exits with 143 on SIGTERM; a requested shutdown exits with 0.
    SpringApplication.getShutdownHandlers().add(KvorumApplication::exitCleanly);
    SpringApplication.run(KvorumApplication.class, arguments);
    started = true;
  }

  private static void print(CommandLine.Output output) throws IOException {
    if (output.file().isEmpty()) {
      System.out.print(output.text());
    } else {
      Files.writeString(Path.of(output.file()), output.text());
    }
  }

  /**
   * A peer's address changes with its pod, and its name is unknown while there is none. These are
   * properties, not flags: the JDK's own file sets the second one, which overrides the flag.
   */
  private static void forgetAddressesSoon() {
    Security.setProperty("networkaddress.cache.ttl", NAMES_KEPT_SECONDS);
    Security.setProperty("networkaddress.cache.negative.ttl", NAMES_KEPT_SECONDS);
  }

  private static void exitCleanly() {
    if (started) {
      Runtime.getRuntime().halt(0);
    }
  }
}
