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
            "When it began to wait for a cluster that is missing or not ready, or for its "
                + "user; absent while it does not wait.")
        @Nullable String waitingSince,
    @JsonPropertyDescription(
            "The id of its cluster: a cluster recreated under the same name has another.")
        @Nullable String clusterId,
    @JsonPropertyDescription("Whether the key space has been filled, if the spec requires it.")
        Boolean filled,
    @JsonPropertyDescription("Summary of the rate measured last.") @Nullable LoadSummary latest,
    @JsonPropertyDescription(
            "The highest offered rate at which 99 % of the requests were answered and p99 "
                + "was at most p99Max. Absent until all rates are measured, if no rate "
                + "qualifies, and if no higher rate was too much.")
        @Nullable Long knee,
    @JsonPropertyDescription("Result of each rate, in order.") List<LoadResult> results,
    @JsonPropertyDescription(
            "Progressing, Complete, Failed, Ready, Reconciling and Stalled, with reason and message.")
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

  /** Whether it has completed or failed. */
  @JsonIgnore
  public boolean ended() {
    return phase != null && phase.ended();
  }
}
