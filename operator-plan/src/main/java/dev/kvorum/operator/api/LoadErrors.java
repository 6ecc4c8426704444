package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;

/** Errors at one rate, by kind. */
public record LoadErrors(
    @JsonPropertyDescription(
            "Answers with status 400 or above by status, except 404 to reads; the rarest "
                + "are summed as `other`.")
        Map<String, Long> status,
    @JsonPropertyDescription("Connections that could not be established.") Long connect,
    @JsonPropertyDescription("Connections that failed while an answer was read.") Long read,
    @JsonPropertyDescription("Connections that failed while a request was written.") Long write,
    @JsonPropertyDescription("Requests that took longer than the timeout.") Long timeout) {
  public LoadErrors {
    status = Map.copyOf(requireNonNullElse(status, Map.of()));
    connect = requireNonNullElse(connect, 0L);
    read = requireNonNullElse(read, 0L);
    write = requireNonNullElse(write, 0L);
    timeout = requireNonNullElse(timeout, 0L);
  }

  /** The sum of all kinds. */
  public long total() {
    return status.values().stream().mapToLong(count -> count).sum()
        + connect
        + read
        + write
        + timeout;
  }
}
