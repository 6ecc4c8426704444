package dev.kvorum.tracing;

import dev.kvorum.settings.Bounds;
import java.net.URI;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings {@code kvorum.tracing.*}: the export of traces.
 *
 * @param endpoint OTLP/HTTP URL of a collector for traces, such as {@code
 *     http://otel-collector:4318/v1/traces}; empty: no spans are recorded
 * @param sample share of requests without a {@code traceparent} that begin a trace, 0 to 1
 * @param queueMax spans that wait for the collector, 1 to 1048576; more are dropped
 */
public record TracingSettings(
    @DefaultValue("") String endpoint,
    @DefaultValue("0") double sample,
    @DefaultValue("2048") int queueMax) {
  public TracingSettings {
    if (!endpoint.isEmpty() && !isWeb(endpoint)) {
      throw new IllegalArgumentException(
          "kvorum.tracing.endpoint is '"
              + endpoint
              + "'; it must be an http or https URL for traces, such as"
              + " http://otel-collector:4318/v1/traces");
    }
    if (!(sample >= 0 && sample <= 1)) {
      throw new IllegalArgumentException(
          "kvorum.tracing.sample is " + sample + "; it must be 0 to 1");
    }
    Bounds.between("kvorum.tracing.queue-max", queueMax, 1, 1 << 20);
  }

  private static boolean isWeb(String endpoint) {
    try {
      URI uri = URI.create(endpoint);
      return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
