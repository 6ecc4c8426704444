package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The observed state of a cluster. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KvorumClusterStatus(
    @JsonPropertyDescription("The generation of the spec that this status reports on.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Number of pods.") @StatusReplicas Integer replicas,
    @JsonPropertyDescription("Label selector of these pods, for autoscalers.") @LabelSelector
        @Nullable String selector,
    @JsonPropertyDescription("Number of members in the topology.") Integer members,
    @JsonPropertyDescription("Number of members that are ready.") Integer readyMembers,
    @JsonPropertyDescription("Ready members of those that the spec asks for, such as `2/3`.")
        @Nullable String memberSummary,
    @JsonPropertyDescription("The topology's epoch; 0 before the cluster is founded.") Long epoch,
    @JsonPropertyDescription(
            "The version that the members run; during an update both, separated by a comma.")
        @Nullable String version,
    @JsonPropertyDescription("The image that members should have.") @Nullable String image,
    @JsonPropertyDescription("The active features: releases without them cannot be used any more.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<String> features,
    @JsonPropertyDescription(
            "Features that a member has and that are not active: spec.features.activation is "
                + "`Held`, or not all members run a release with them yet.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<String> inactiveFeatures,
    @JsonPropertyDescription("The phase of the cluster.") @Nullable ClusterPhase phase,
    @JsonPropertyDescription("Id of the cluster, assigned once.") @Nullable String clusterId,
    @JsonPropertyDescription(
            "The image used when the spec names none: the operator's default, fixed when "
                + "the cluster is founded.")
        @Nullable String defaultImage,
    @JsonPropertyDescription(
            "The deletion policy in effect: the spec's policy once all volumes and the "
                + "topology are marked with it.")
        @Nullable DeletionPolicy deletionPolicy,
    @JsonPropertyDescription(
            "The size of the smallest volume of a member: storage.size may go back to it.")
        @Size(max = 32)
        @Nullable String volumeSize,
    @JsonPropertyDescription("The certificates that the operator has issued, if it issues them.")
        @Nullable CertificatesStatus certificates,
    @JsonPropertyDescription("What `spec.dryRunReplicas` members would change, while it is set.")
        @Nullable PlanStatus plan,
    @JsonPropertyDescription("Each member as last observed.") List<MemberStatus> memberStates,
    @JsonPropertyDescription(
            "Ready, Progressing, Degraded, Reconciling and Stalled; their messages name what the "
                + "operator waits for.")
        List<Condition> conditions) {
  /** Before anything was done. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static final KvorumClusterStatus NONE =
      new KvorumClusterStatus(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null, null, null, null, null);

  public KvorumClusterStatus {
    replicas = requireNonNullElse(replicas, 0);
    members = requireNonNullElse(members, 0);
    readyMembers = requireNonNullElse(readyMembers, 0);
    epoch = requireNonNullElse(epoch, 0L);
    features = List.copyOf(requireNonNullElse(features, List.of()));
    inactiveFeatures = List.copyOf(requireNonNullElse(inactiveFeatures, List.of()));
    memberStates = List.copyOf(requireNonNullElse(memberStates, List.of()));
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
  }

  /** A copy with the cluster's id. */
  public KvorumClusterStatus withClusterId(String id) {
    return new KvorumClusterStatus(
        observedGeneration,
        replicas,
        selector,
        members,
        readyMembers,
        memberSummary,
        epoch,
        version,
        image,
        features,
        inactiveFeatures,
        phase,
        id,
        defaultImage,
        deletionPolicy,
        volumeSize,
        certificates,
        plan,
        memberStates,
        conditions);
  }
}
