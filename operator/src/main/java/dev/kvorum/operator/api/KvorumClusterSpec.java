package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster's owner asks for. A part that is left out is its default, also where no API server
 * has filled it in.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self.replicas >= self.replication",
    message = "replicas must be at least replication: every record is kept on that many members")
public record KvorumClusterSpec(
    @JsonPropertyDescription("How many members the cluster has. Also set by `kubectl scale`.")
        @SpecReplicas
        @Default("3")
        @Min(1)
        @Max(99)
        Integer replicas,
    @JsonPropertyDescription(
            "On how many members a record is kept for which the client does not say `from`. It"
                + " cannot"
                + " be changed: a quorum of the new number does not meet a quorum of the old one.")
        @Default("3")
        @Min(1)
        @Max(99)
        @ValidationRule(
            value = "self == oldSelf",
            message =
                "replication cannot be changed: a quorum of the new number would not meet what was"
                    + " written to a quorum of the old one")
        Integer replication,
    @JsonPropertyDescription(
            "When a write is acknowledged: `sync` after an fsync, `async` once it is in the"
                + " operating"
                + " system's hands.")
        @Default("sync")
        Durability durability,
    @JsonPropertyDescription("The volume of each member.") @Default("{\"size\":\"10Gi\"}")
        StorageSpec storage,
    @JsonPropertyDescription(
            "What each member's container asks for. Heap, direct memory and RocksDB's cache follow"
                + " limits.memory (768Mi, at least 512Mi). No CPU limit unless one is given.")
        @Nullable ResourcesSpec resources,
    @JsonPropertyDescription("How members spread over failure domains.")
        @Default(
            "{\"key\":\"topology.kubernetes.io/zone\",\"whenUnsatisfiable\":\"ScheduleAnyway\"}")
        ZonesSpec zones,
    @JsonPropertyDescription(
            "The nodes' image. Left out: the one that the operator has as its default when the"
                + " cluster"
                + " is founded, and that one from then on.")
        @Nullable String image,
    @JsonPropertyDescription("When the image is pulled.") @Default("IfNotPresent")
        PullPolicy imagePullPolicy,
    @JsonPropertyDescription(
            "Settings of the nodes by their names, such as `kvorum.limits.request-timeout`. What"
                + " the"
                + " operator sets itself cannot be among them.")
        @Size(max = 64)
        @ValidationRule(
            value =
                "self.all(k, !(k in ['kvorum.node.name','kvorum.node.zone','server.port',"
                    + "'management.server.port','kvorum.rpc.port','kvorum.data-dir',"
                    + "'kvorum.storage.durability','kvorum.storage.memory']))",
            message =
                "settings must not contain what the operator sets itself: kvorum.node.name,"
                    + " kvorum.node.zone, server.port, management.server.port, kvorum.rpc.port,"
                    + " kvorum.data-dir, kvorum.storage.durability (durability),"
                    + " kvorum.storage.memory"
                    + " (follows resources.limits.memory)")
        @ValidationRule(
            value =
                "self.all(k, !k.startsWith('kvorum.cluster.') &&"
                    + " !k.startsWith('kvorum.kubernetes.'))",
            message =
                "settings must not contain kvorum.cluster.* nor kvorum.kubernetes.*: the operator"
                    + " defines the members")
        Map<String, String> settings,
    @JsonPropertyDescription(
            "The operator reports and changes nothing until this is false again, except for the"
                + " marks of deletionPolicy on volumes and topology.")
        @Default("false")
        Boolean paused,
    @JsonPropertyDescription(
            "What becomes of volumes and topology when this object is deleted. `Retain`: they"
                + " stay, and"
                + " a cluster created under the same name goes on with them.")
        @Default("Retain")
        DeletionPolicy deletionPolicy,
    @JsonPropertyDescription("What else the members' pods are given.") @Nullable PodExtras pod) {

  /** A spec in which nothing is set. */
  public static final KvorumClusterSpec DEFAULTS = ofDefaults();

  @SuppressWarnings("NullAway") // what is left out comes as null
  private static KvorumClusterSpec ofDefaults() {
    return new KvorumClusterSpec(
        null, null, null, null, null, null, null, null, null, null, null, null);
  }

  public KvorumClusterSpec {
    replicas = requireNonNullElse(replicas, 3);
    replication = requireNonNullElse(replication, 3);
    durability = requireNonNullElse(durability, Durability.SYNC);
    storage = requireNonNullElse(storage, StorageSpec.DEFAULTS);
    zones = requireNonNullElse(zones, ZonesSpec.DEFAULTS);
    imagePullPolicy = requireNonNullElse(imagePullPolicy, PullPolicy.IF_NOT_PRESENT);
    settings = Map.copyOf(requireNonNullElse(settings, Map.of()));
    paused = requireNonNullElse(paused, false);
    deletionPolicy = requireNonNullElse(deletionPolicy, DeletionPolicy.RETAIN);
  }
}
