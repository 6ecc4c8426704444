package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.ValidationRule;

/** How members are spread over failure domains. */
public record ZonesSpec(
    @JsonPropertyDescription(
            "Label of Kubernetes nodes that names their failure domain. Immutable: with another "
                + "label, most copies would be moved.")
        @Default("topology.kubernetes.io/zone")
        @ValidationRule(
            value = "self == oldSelf",
            message = "zones.key cannot be changed: with another label, most copies would be moved")
        String key,
    @JsonPropertyDescription("What happens to a pod that cannot be placed evenly.")
        @Default("ScheduleAnyway")
        Unsatisfiable whenUnsatisfiable) {
  static final ZonesSpec DEFAULTS =
      new ZonesSpec("topology.kubernetes.io/zone", Unsatisfiable.SCHEDULE_ANYWAY);

  public ZonesSpec {
    key = requireNonNullElse(key, "topology.kubernetes.io/zone");
    whenUnsatisfiable = requireNonNullElse(whenUnsatisfiable, Unsatisfiable.SCHEDULE_ANYWAY);
  }
}
