package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one rate of a load test came to, as the script wrote it down (loadtest/README.md). */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LoadResult(
    @JsonPropertyDescription("Which rate this was of, from 0.") Integer step,
    @JsonPropertyDescription("As wrk2's console shows it.") LoadSummary summary,
    @JsonPropertyDescription("When its container began.") @Nullable String startedAt,
    @JsonPropertyDescription("When its container ended.") @Nullable String endedAt,
    @JsonPropertyDescription("Requests a second that were offered.") Long offered,
    @JsonPropertyDescription("Requests a second that were answered.") Double achieved,
    @JsonPropertyDescription("How long it ran.") Double seconds,
    @JsonPropertyDescription("Connections that shared the load.") Integer connections,
    @JsonPropertyDescription("Threads that shared the connections.") Integer threads,
    @JsonPropertyDescription("Requests answered.") Long requests,
    @JsonPropertyDescription("Bytes of answers.") Long bytes,
    @JsonPropertyDescription("Reads of keys that were not there.") Long notFound,
    @JsonPropertyDescription(
            "Latencies in microseconds by percentile, and their `count`, `min`, `max`, `mean` and"
                + " `stdev`; wrk2 counts from the end of its calibration on.")
        Map<String, Double> latencyMicros,
    @JsonPropertyDescription("What went wrong.") LoadErrors errors,
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
