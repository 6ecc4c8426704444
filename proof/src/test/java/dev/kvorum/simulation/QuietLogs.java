package dev.kvorum.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Silences the logs of nodes, which crash and start all the time, during the tests of a class.
 * Later tests of the same process read logs.
 */
public final class QuietLogs implements BeforeAllCallback, AfterAllCallback {
  private final Map<Logger, @Nullable Level> before = new HashMap<>();

  /** Silences them for good. */
  public static void silence() {
    new QuietLogs().off();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    off();
  }

  private void off() {
    for (String name : new String[] {"dev.kvorum", "reactor"}) {
      Logger logger = (Logger) LoggerFactory.getLogger(name);
      before.put(logger, logger.getLevel());
      logger.setLevel(Level.OFF);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    before.forEach(Logger::setLevel);
  }
}
