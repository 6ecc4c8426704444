package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.Notice;
import java.util.List;

/** The next step, and the parts of the spec that are rejected without blocking anything else. */
public record Plan(Step step, List<Notice> rejected) {
  public Plan {
    rejected = List.copyOf(rejected);
  }
}
