package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.Notice;
import java.util.List;

/** The next step, and the parts of the spec that are refused without blocking anything else. */
public record Plan(Step step, List<Notice> refused) {
  public Plan {
    refused = List.copyOf(refused);
  }
}
