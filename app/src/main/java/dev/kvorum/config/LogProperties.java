package dev.kvorum.config;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings {@code kvorum.log.*}: the log of slow requests.
 *
 * @param slowRequest duration from which a request for one key is logged; 0 turns it off
 */
public record LogProperties(@DefaultValue("500ms") Duration slowRequest) {
  public LogProperties {
    if (slowRequest.isNegative()) {
      throw new IllegalArgumentException("kvorum.log.slow-request must not be negative");
    }
  }
}
