package dev.kvorum.config;

import dev.kvorum.tracing.ExportSettings;
import dev.kvorum.tracing.OpenTelemetryTracer;
import dev.kvorum.tracing.Tracer;
import java.net.URI;
import java.time.Duration;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where traces go.
 *
 * @param endpoint OTLP/HTTP URL of a collector for traces, such as {@code
 *     http://otel-collector:4318/v1/traces}; empty: they are passed on and not recorded
 * @param sample share of the requests without a {@code traceparent} that begin a trace; a parent's
 *     own decision holds otherwise
 * @param queueMax spans that wait for the collector; more are dropped
 */
public record TracingProperties(
    @DefaultValue("") String endpoint,
    @DefaultValue("0") double sample,
    @DefaultValue("2048") int queueMax) {
  // A part of what a node has to stop in, the store's own time included.
  private static final Duration CLOSE_MAX = Duration.ofSeconds(1);

  public TracingProperties {
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

  /** What records the traces of a node. */
  public Tracer tracer(String cluster, String member) {
    return endpoint.isEmpty()
        ? Tracer.NONE
        : OpenTelemetryTracer.exporting(
            new ExportSettings(endpoint, sample, queueMax, CLOSE_MAX, cluster, member),
            LoggerFactory.getLogger(Tracer.class)::warn);
  }
}
