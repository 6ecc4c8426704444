package dev.kvorum.config;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is logged.
 *
 * @param slowRequest what a request for one key may take before it is logged; zero: never
 */
public record LogProperties(@DefaultValue("500ms") Duration slowRequest) {
  public LogProperties {
    if (slowRequest.isNegative()) {
      throw new IllegalArgumentException("kvorum.log.slow-request must not be negative");
    }
  }
}
