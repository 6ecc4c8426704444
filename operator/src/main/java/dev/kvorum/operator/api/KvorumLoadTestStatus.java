package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a load test. It is also the operator's only record: the number of results determines
 * the next rate.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KvorumLoadTestStatus(
    @JsonPropertyDescription("The generation of the spec that this status reports on.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("The phase of the load test.") @Nullable LoadTestPhase phase,
    @JsonPropertyDescription("When it began; from then on its spec cannot be changed.")
        @Nullable String startedAt,
    @JsonPropertyDescription("When it ended.") @Nullable String endedAt,
    @JsonPropertyDescription(
            "Since when the cluster is waited for, while it is missing or not ready.")
        @Nullable String waitingSince,
    @JsonPropertyDescription(
            "The id of its cluster: a cluster recreated under the same name has another.")
        @Nullable String clusterId,
    @JsonPropertyDescription("Whether the key space has been filled, where that is asked for.")
        Boolean filled,
    @JsonPropertyDescription("What the last rate that was measured came to.")
        @Nullable LoadSummary latest,
    @JsonPropertyDescription(
            "The highest rate offered of which 99 % were answered with p99 in bounds (p99Max). Not"
                + " there before all rates have been measured, nor where there is none.")
        @Nullable Long knee,
    @JsonPropertyDescription("What each rate came to, in their order.") List<LoadResult> results,
    @JsonPropertyDescription("Progressing, Complete and Failed, with reason and message.")
        List<Condition> conditions) {
  /** Before anything was done. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static final KvorumLoadTestStatus NONE =
      new KvorumLoadTestStatus(null, null, null, null, null, null, null, null, null, null, null);

  public KvorumLoadTestStatus {
    filled = requireNonNullElse(filled, false);
    results = List.copyOf(requireNonNullElse(results, List.of()));
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
  }

  /** Whether it has begun. */
  @JsonIgnore
  public boolean started() {
    return startedAt != null;
  }

  /** Whether nothing comes any more. */
  @JsonIgnore
  public boolean ended() {
    return phase != null && phase.ended();
  }
}
