package dev.kvorum.chaos.history;

import dev.kvorum.chaos.history.Operation.Kind;
import dev.kvorum.chaos.history.Operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A history of one key written by hand, in milliseconds; versions are numbers of milliseconds too.
 */
final class HistoryBuilder {
  private static final long START_MILLIS = 1_000_000;
  private static final Bounds BOUNDS =
      new Bounds(Duration.ofMillis(500), Duration.ZERO, Duration.ofSeconds(10));

  private final List<Operation> operations = new ArrayList<>();
  private String client = "c";
  private long skewMillis;

  /** Sets the client of the next operations, and the clock skew of its node. */
  HistoryBuilder by(String who, long skew) {
    client = who;
    skewMillis = skew;
    return this;
  }

  HistoryBuilder put(String value, long version, long from, long to) {
    return add(Kind.PUT, value, 0, version, from, to, Outcome.OK, 201);
  }

  HistoryBuilder putWithTtl(String value, long ttl, long version, long from, long to) {
    return add(Kind.PUT, value, ttl, version, from, to, Outcome.OK, 201);
  }

  HistoryBuilder perhapsPut(String value, long ttl, long from, long to) {
    return add(Kind.PUT, value, ttl, 0, from, to, Outcome.INDETERMINATE, 504);
  }

  HistoryBuilder rejectedPut(String value, long from, long to) {
    return add(Kind.PUT, value, 0, 0, from, to, Outcome.REJECTED, 503);
  }

  HistoryBuilder delete(long version, long from, long to) {
    return add(Kind.DELETE, "", 0, version, from, to, Outcome.OK, 202);
  }

  HistoryBuilder perhapsDelete(int status, long from, long to) {
    return add(Kind.DELETE, "", 0, 0, from, to, Outcome.INDETERMINATE, status);
  }

  HistoryBuilder read(String value, long version, long from, long to) {
    return add(Kind.GET, value, 0, version, from, to, Outcome.OK, 200);
  }

  HistoryBuilder miss(long from, long to) {
    return add(Kind.GET, "", 0, 0, from, to, Outcome.NOT_FOUND, 404);
  }

  HistoryBuilder ranged(String value, long version, long from, long to) {
    return add(Kind.RANGE, value, 0, version, from, to, Outcome.OK, 200);
  }

  HistoryBuilder missedInRange(long from, long to) {
    return add(Kind.RANGE, "", 0, 0, from, to, Outcome.NOT_FOUND, 200);
  }

  private HistoryBuilder add(
      Kind kind,
      String value,
      long ttl,
      long version,
      long from,
      long to,
      Outcome outcome,
      int status) {
    operations.add(
        new Operation(
            client,
            kind,
            false,
            "k",
            value,
            ttl,
            version == 0 ? "" : version(version),
            "n",
            skewMillis,
            from * 1_000_000,
            to * 1_000_000,
            outcome,
            status));
    return this;
  }

  static String version(long millis) {
    return "%012x0000%08x".formatted(START_MILLIS + millis, 7);
  }

  History build() {
    return new History(START_MILLIS, operations);
  }

  List<Violation> violations() {
    return new HistoryChecker(BOUNDS).check(build());
  }
}
