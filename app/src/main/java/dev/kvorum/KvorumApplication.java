package dev.kvorum;

import dev.kvorum.boot.CommandLine;
import dev.kvorum.boot.NodeConfiguration;
import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The program of a node: settings, HTTP server, health and metrics by Spring Boot. */
@EnableAutoConfiguration
@Import(NodeConfiguration.class)
public class KvorumApplication {
  private static final int WRONG_USAGE = 2;

  private static volatile boolean started;

  /** Runs a node until it is stopped, or prints its settings if asked for them. */
  public static void main(String[] arguments) {
    if (CommandLine.asksForHelp(arguments)) {
      System.out.print(CommandLine.help());
      return;
    }
    Optional<String> mistake = CommandLine.mistake(arguments);
    if (mistake.isPresent()) {
      System.err.println("kvorum-node: " + mistake.get());
      System.exit(WRONG_USAGE);
    }
    // By default, the JVM exits with 143 on SIGTERM; a requested shutdown exits with 0.
    SpringApplication.getShutdownHandlers().add(KvorumApplication::endWell);
    SpringApplication.run(KvorumApplication.class, arguments);
    started = true;
  }

  private static void endWell() {
    if (started) {
      Runtime.getRuntime().halt(0);
    }
  }
}
