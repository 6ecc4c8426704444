package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;

/** What went wrong at one rate, by what it was. */
public record LoadErrors(
    @JsonPropertyDescription(
            "Answers from 400 on by status, without 404 to readers; the rarest ones together as"
                + " `other`.")
        Map<String, Long> status,
    @JsonPropertyDescription("Connections that could not be made.") Long connect,
    @JsonPropertyDescription("Connections that broke while an answer was read.") Long read,
    @JsonPropertyDescription("Connections that broke while a request was written.") Long write,
    @JsonPropertyDescription("Requests found waiting for longer than the timeout.") Long timeout) {
  public LoadErrors {
    status = Map.copyOf(requireNonNullElse(status, Map.of()));
    connect = requireNonNullElse(connect, 0L);
    read = requireNonNullElse(read, 0L);
    write = requireNonNullElse(write, 0L);
    timeout = requireNonNullElse(timeout, 0L);
  }

  /** All of them. */
  public long total() {
    return status.values().stream().mapToLong(count -> count).sum()
        + connect
        + read
        + write
        + timeout;
  }
}
