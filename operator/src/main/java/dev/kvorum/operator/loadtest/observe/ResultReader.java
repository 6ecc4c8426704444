package dev.kvorum.operator.loadtest.observe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvorum.operator.api.LoadErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Parses the result that a script has written; empty if it is not valid. */
public final class ResultReader {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int FORMAT = 1;

  /** More points than a script writes; it bounds the size of the status. */
  private static final int SPECTRUM_MAX = 64;

  private ResultReader() {}

  /** A result that is not yet assigned to a step. */
  public record Measured(
      long offered,
      double achieved,
      double seconds,
      int connections,
      int threads,
      long requests,
      long bytes,
      long notFound,
      Map<String, Double> latencyMicros,
      LoadErrors errors,
      List<List<Double>> spectrum) {
    public Measured {
      latencyMicros = Map.copyOf(latencyMicros);
      spectrum = List.copyOf(spectrum);
    }
  }

  /** Parses a termination message. */
  public static Optional<Measured> read(String message) {
    JsonNode json;
    try {
      json = JSON.readTree(message);
    } catch (JsonProcessingException notJson) {
      return Optional.empty();
    }
    if (json == null
        || json.path("format").asInt() != FORMAT
        || !json.path("offered").isIntegralNumber()
        || !json.path("achieved").isNumber()
        || !json.path("seconds").isNumber()
        || !json.path("requests").isIntegralNumber()
        || !json.path("latencyMicros").isObject()
        || !json.path("errors").path("status").isObject()
        || json.path("spectrum").size() > SPECTRUM_MAX) {
      return Optional.empty();
    }
    return Optional.of(
        new Measured(
            json.path("offered").asLong(),
            json.path("achieved").asDouble(),
            json.path("seconds").asDouble(),
            json.path("connections").asInt(),
            json.path("threads").asInt(),
            json.path("requests").asLong(),
            json.path("bytes").asLong(),
            json.path("notFound").asLong(),
            latencies(json.path("latencyMicros")),
            errors(json.path("errors")),
            spectrum(json.path("spectrum"))));
  }

  /** Returns the latencies without null values, which a run without any response has. */
  private static Map<String, Double> latencies(JsonNode json) {
    Map<String, Double> latencies = new TreeMap<>();
    for (Map.Entry<String, JsonNode> each : json.properties()) {
      if (each.getValue().isNumber()) {
        latencies.put(each.getKey(), each.getValue().asDouble());
      }
    }
    return latencies;
  }

  private static LoadErrors errors(JsonNode json) {
    Map<String, Long> status = new TreeMap<>();
    for (Map.Entry<String, JsonNode> each : json.path("status").properties()) {
      status.put(each.getKey(), each.getValue().asLong());
    }
    return new LoadErrors(
        status,
        json.path("connect").asLong(),
        json.path("read").asLong(),
        json.path("write").asLong(),
        json.path("timeout").asLong());
  }

  private static List<List<Double>> spectrum(JsonNode json) {
    List<List<Double>> points = new ArrayList<>();
    for (JsonNode point : json) {
      points.add(List.of(point.path(0).asDouble(), point.path(1).asDouble()));
    }
    return points;
  }
}
