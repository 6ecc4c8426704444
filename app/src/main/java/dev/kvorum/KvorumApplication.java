package dev.kvorum;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The pod's shell around a node: settings, HTTP server, health and metrics by Spring Boot. */
@EnableAutoConfiguration
@Import(Wiring.class)
public class KvorumApplication {
  private static volatile boolean started;

  /** Runs a node until it is told to stop. */
  public static void main(String[] arguments) {
    // A process that SIGTERM ends says 143 by itself; this one ends as it was asked to.
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
