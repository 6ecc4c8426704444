package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.Notice;
import java.util.List;

/** The next step, and what of the spec is refused meanwhile without holding anything else up. */
public record Plan(Step step, List<Notice> refused) {
  public Plan {
    refused = List.copyOf(refused);
  }
}
