package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** What came of one rate, as wrk2's console shows it. */
public record LoadSummary(
    @JsonPropertyDescription("Requests a second that were offered.") Long rate,
    @JsonPropertyDescription("Requests a second that were answered.") String achieved,
    @JsonPropertyDescription("Median latency.") String p50,
    @JsonPropertyDescription("Latency that one request in a hundred exceeded.") String p99,
    @JsonPropertyDescription("Latency that one request in a thousand exceeded.") String p999,
    @JsonPropertyDescription(
            "Answers other than 2xx and 404, broken connections and timeouts, together.")
        Long errors) {}
