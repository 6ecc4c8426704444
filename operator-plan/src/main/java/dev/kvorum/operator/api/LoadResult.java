package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of one rate of a load test, as the script reports it (loadtest/README.md). */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LoadResult(
    @JsonPropertyDescription("Index of the rate, from 0.") Integer step,
    @JsonPropertyDescription("Summary as on wrk2's console.") LoadSummary summary,
    @JsonPropertyDescription("When its container began.") @Nullable String startedAt,
    @JsonPropertyDescription("When its container ended.") @Nullable String endedAt,
    @JsonPropertyDescription("Requests per second offered.") Long offered,
    @JsonPropertyDescription("Requests per second answered.") Double achieved,
    @JsonPropertyDescription("Duration in seconds.") Double seconds,
    @JsonPropertyDescription("Connections that shared the load.") Integer connections,
    @JsonPropertyDescription("Threads that shared the connections.") Integer threads,
    @JsonPropertyDescription("Requests answered.") Long requests,
    @JsonPropertyDescription("Bytes of answers.") Long bytes,
    @JsonPropertyDescription("Reads of keys that were not found.") Long notFound,
    @JsonPropertyDescription(
            "Latencies in microseconds by percentile, and their `count`, `min`, `max`, "
                + "`mean` and `stdev`; wrk2 measures them after its calibration.")
        Map<String, Double> latencyMicros,
    @JsonPropertyDescription("Errors by kind.") LoadErrors errors,
    @JsonPropertyDescription("Pairs of a percentile and its latency in microseconds.")
        List<List<Double>> spectrum) {
  public LoadResult {
    latencyMicros = Map.copyOf(requireNonNullElse(latencyMicros, Map.of()));
    spectrum =
        requireNonNullElse(spectrum, List.<List<Double>>of()).stream().map(List::copyOf).toList();
  }

  /** The latency at a percentile in microseconds; NaN where nothing was answered. */
  public double micros(String percentile) {
    return latencyMicros.getOrDefault(percentile, Double.NaN);
  }
}
