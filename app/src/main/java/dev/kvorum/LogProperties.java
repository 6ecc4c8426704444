package dev.kvorum;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is told in the log.
 *
 * @param slowRequest what a request for one key may take before it is told of; zero: never
 */
public record LogProperties(@DefaultValue("500ms") Duration slowRequest) {
  public LogProperties {
    if (slowRequest.isNegative()) {
      throw new IllegalArgumentException("kvorum.log.slow-request must not be negative");
    }
  }
}
