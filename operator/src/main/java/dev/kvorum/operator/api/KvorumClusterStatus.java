package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What has become of a cluster. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KvorumClusterStatus(
    @JsonPropertyDescription("The generation of the spec that this status reports on.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("How many pods there are.") @StatusReplicas Integer replicas,
    @JsonPropertyDescription("Which pods these are, for autoscalers.") @LabelSelector
        @Nullable String selector,
    @JsonPropertyDescription("How many members the topology lists.") Integer members,
    @JsonPropertyDescription("How many of them are ready.") Integer readyMembers,
    @JsonPropertyDescription("The topology's epoch; 0 before the cluster is founded.") Long epoch,
    @JsonPropertyDescription("The phase of the cluster.") @Nullable ClusterPhase phase,
    @JsonPropertyDescription("Which cluster this is; given once.") @Nullable String clusterId,
    @JsonPropertyDescription(
            "The image that is meant where the spec names none: the operator's default until the"
                + " cluster is founded, and that one from then on.")
        @Nullable String defaultImage,
    @JsonPropertyDescription(
            "What becomes of volumes and topology when this object is deleted now: the spec's"
                + " policy once it is marked on all of them.")
        @Nullable DeletionPolicy deletionPolicy,
    @JsonPropertyDescription("Each member as last observed.") List<MemberStatus> memberStates,
    @JsonPropertyDescription("Ready, Progressing and Degraded, with what is being waited for.")
        List<Condition> conditions) {
  /** Before anything was done. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static final KvorumClusterStatus NONE =
      new KvorumClusterStatus(
          null, null, null, null, null, null, null, null, null, null, null, null);

  public KvorumClusterStatus {
    replicas = requireNonNullElse(replicas, 0);
    members = requireNonNullElse(members, 0);
    readyMembers = requireNonNullElse(readyMembers, 0);
    epoch = requireNonNullElse(epoch, 0L);
    memberStates = List.copyOf(requireNonNullElse(memberStates, List.of()));
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
  }

  /** The same of a cluster that has been given its id. */
  public KvorumClusterStatus withClusterId(String id) {
    return new KvorumClusterStatus(
        observedGeneration,
        replicas,
        selector,
        members,
        readyMembers,
        epoch,
        phase,
        id,
        defaultImage,
        deletionPolicy,
        memberStates,
        conditions);
  }
}
