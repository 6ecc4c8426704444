package dev.kvorum.http;

import dev.kvorum.coordinator.RangePart;
import dev.kvorum.http.problem.Problems;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** Counts the records of a range. */
final class RangeCount {
  private long records;
  private RangePart.@Nullable Incomplete incomplete;

  void add(RangePart part) {
    switch (part) {
      case RangePart.Records more -> records += more.records().size();
      case RangePart.Incomplete end -> incomplete = end;
    }
  }

  /** Sends the number, or the reason why there is none. */
  Publisher<Void> send(Exchange exchange, String outcome) {
    return incomplete == null
        ? Responses.json(exchange, outcome, Map.of("count", records))
        : Responses.problem(exchange, Problems.incomplete(incomplete.replies()));
  }
}
