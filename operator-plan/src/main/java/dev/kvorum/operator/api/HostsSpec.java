package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;

/** How members are spread over machines. */
public record HostsSpec(
    @JsonPropertyDescription(
            "What happens to a pod when each machine has a member already. `ScheduleAnyway`: it is "
                + "placed where the fewest are. `DoNotSchedule`: it stays pending.")
        @Default("ScheduleAnyway")
        Unsatisfiable whenUnsatisfiable) {
  static final HostsSpec DEFAULTS = new HostsSpec(Unsatisfiable.SCHEDULE_ANYWAY);

  public HostsSpec {
    whenUnsatisfiable = requireNonNullElse(whenUnsatisfiable, Unsatisfiable.SCHEDULE_ANYWAY);
  }
}
