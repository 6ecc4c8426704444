package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** Summary of one rate, as on wrk2's console. */
public record LoadSummary(
    @JsonPropertyDescription("Requests per second offered.") Long rate,
    @JsonPropertyDescription("Requests per second answered.") String achieved,
    @JsonPropertyDescription("Median latency.") String p50,
    @JsonPropertyDescription("Latency that one request in a hundred exceeded.") String p99,
    @JsonPropertyDescription("Latency that one request in a thousand exceeded.") String p999,
    @JsonPropertyDescription(
            "Sum of answers other than 2xx and 404, failed connections and timeouts.")
        Long errors) {}
