package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a cluster. A field that is left out has its default, also where no API
 * server has filled it in; but features are activated only where one has, because older definitions
 * of the topology drop them.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self.replicas >= self.replication",
    message = "replicas must be at least replication: every record is kept on that many members")
@ValidationRule(
    value =
        "has(self.bootstrap) == has(oldSelf.bootstrap) && (!has(self.bootstrap) ||"
            + " self.bootstrap == oldSelf.bootstrap)",
    message = "bootstrap cannot be changed: it is what the cluster began with")
public record KvorumClusterSpec(
    @JsonPropertyDescription("Number of members. Also set by `kubectl scale`.")
        @SpecReplicas
        @Default("3")
        @Min(1)
        @Max(99)
        Integer replicas,
    @JsonPropertyDescription(
            "Number of members that keep a record when the client gives no `from`. "
                + "Immutable: a quorum of the new number need not overlap with a quorum of the "
                + "old one.")
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
            "When a write is acknowledged: `sync` after an fsync, `async` once it is "
                + "written to the operating system's page cache.")
        @Default("sync")
        Durability durability,
    @JsonPropertyDescription("The volume of each member.") @Default("{\"size\":\"10Gi\"}")
        StorageSpec storage,
    @JsonPropertyDescription(
            "Resources of each member's container. Heap, direct memory and RocksDB's cache "
                + "are derived from limits.memory (default 768Mi, at least 512Mi). There is no "
                + "CPU limit by default.")
        @Nullable ResourcesSpec resources,
    @JsonPropertyDescription("How members are spread over failure domains.")
        @Default(
            "{\"key\":\"topology.kubernetes.io/zone\",\"whenUnsatisfiable\":\"ScheduleAnyway\"}")
        ZonesSpec zones,
    @JsonPropertyDescription("How members are spread over machines.")
        @Default("{\"whenUnsatisfiable\":\"ScheduleAnyway\"}")
        HostsSpec hosts,
    @JsonPropertyDescription(
            "The nodes' image. If left out, the operator's default image at the time the "
                + "cluster is founded; later defaults do not change it.")
        @Nullable String image,
    @JsonPropertyDescription("Pull policy of the image.") @Default("IfNotPresent")
        PullPolicy imagePullPolicy,
    @JsonPropertyDescription(
            "Settings of the nodes by name, such as `kvorum.limits.request-timeout`. "
                + "Settings that the operator sets itself are rejected.")
        @Size(max = 64)
        @ValidationRule(
            value =
                "self.all(k, !(k in ['kvorum.node.name','kvorum.node.zone','server.port',"
                    + "'management.server.port','kvorum.rpc.port','kvorum.data-dir',"
                    + "'kvorum.storage.durability','kvorum.storage.memory','kvorum.tls.dir',"
                    + "'kvorum.auth.file']))",
            message =
                "settings must not contain what the operator sets itself: kvorum.node.name,"
                    + " kvorum.node.zone, server.port, management.server.port, kvorum.rpc.port,"
                    + " kvorum.data-dir, kvorum.storage.durability (durability),"
                    + " kvorum.storage.memory (follows resources.limits.memory), kvorum.tls.dir"
                    + " and kvorum.auth.file (follow security)")
        @ValidationRule(
            value =
                "self.all(k, !k.startsWith('kvorum.cluster.') &&"
                    + " !k.startsWith('kvorum.kubernetes.'))",
            message =
                "settings must not contain kvorum.cluster.* nor kvorum.kubernetes.*: the operator"
                    + " defines the members")
        Map<String, String> settings,
    @JsonPropertyDescription(
            "While true, the operator reports status and changes nothing except the marks "
                + "of deletionPolicy on volumes and topology, and the disruption budget, which "
                + "follows the members.")
        @Default("false")
        Boolean paused,
    @JsonPropertyDescription(
            "What happens to volumes and topology when this object is deleted. `Retain`: "
                + "they are kept, and a cluster created under the same name continues with them. "
                + "`Delete`: they are deleted.")
        @Default("Retain")
        DeletionPolicy deletionPolicy,
    @JsonPropertyDescription("Additional fields of the members' pods.") @Nullable PodExtras pod,
    @JsonPropertyDescription("How features that not all releases have become active.")
        @Default("{\"activation\":\"Automatic\"}")
        @Nullable FeaturesSpec features,
    @JsonPropertyDescription("What becomes of an update whose pods do not become ready.")
        @Default("{\"onFailure\":\"Rollback\",\"deadline\":\"10m\"}")
        RolloutSpec rollout,
    @JsonPropertyDescription("How connections are secured.") SecuritySpec security,
    @JsonPropertyDescription("Who may connect to members.") NetworkSpec network,
    @JsonPropertyDescription("Where backups go.") @Nullable BackupSpec backup,
    @JsonPropertyDescription(
            "What a new cluster begins with. Ignored where there is a topology already.")
        @Nullable BootstrapSpec bootstrap,
    @JsonPropertyDescription(
            "Any time, such as 2026-11-29T12:00:00Z. A change restarts the members, one after the "
                + "other, as `kubectl rollout restart` does for a StatefulSet.")
        @Pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)$")
        @Size(max = 40)
        @Nullable String restartedAt,
    @JsonPropertyDescription(
            "A number of members to report on in `status.plan`: where slots would be, how much "
                + "would move and whether it fits. Nothing else changes.")
        @Min(1)
        @Max(99)
        @Nullable Integer dryRunReplicas) {

  /** A spec in which nothing is set. */
  public static final KvorumClusterSpec DEFAULTS = ofDefaults();

  @SuppressWarnings("NullAway") // what is left out comes as null
  private static KvorumClusterSpec ofDefaults() {
    return new KvorumClusterSpec(
        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
        null, null, null, null, null, null);
  }

  public KvorumClusterSpec {
    replicas = requireNonNullElse(replicas, 3);
    replication = requireNonNullElse(replication, 3);
    durability = requireNonNullElse(durability, Durability.SYNC);
    storage = requireNonNullElse(storage, StorageSpec.DEFAULTS);
    zones = requireNonNullElse(zones, ZonesSpec.DEFAULTS);
    hosts = requireNonNullElse(hosts, HostsSpec.DEFAULTS);
    imagePullPolicy = requireNonNullElse(imagePullPolicy, PullPolicy.IF_NOT_PRESENT);
    settings = Map.copyOf(requireNonNullElse(settings, Map.of()));
    paused = requireNonNullElse(paused, false);
    deletionPolicy = requireNonNullElse(deletionPolicy, DeletionPolicy.RETAIN);
    rollout = requireNonNullElse(rollout, RolloutSpec.DEFAULTS);
    security = requireNonNullElse(security, SecuritySpec.DEFAULTS);
    network = requireNonNullElse(network, NetworkSpec.DEFAULTS);
  }

  /**
   * What nodes allow without credentials, as {@code kvorum.auth.anonymous} has it: {@code all},
   * {@code read} or {@code none}.
   */
  @JsonIgnore
  public String anonymous() {
    return setting("kvorum.auth.anonymous")
        .orElse(security.profile() == SecurityProfile.STRICT ? "none" : "all");
  }

  /**
   * How nodes check tokens of ServiceAccounts, as {@code kvorum.auth.service-accounts} has it:
   * {@code off}, {@code jwks} or {@code token-review}; empty if the spec does not say.
   */
  @JsonIgnore
  public Optional<String> serviceAccounts() {
    // An unquoted `off` is false in YAML 1.1; Spring takes it for off too.
    return setting("kvorum.auth.serviceaccounts").map(mode -> mode.equals("false") ? "off" : mode);
  }

  /**
   * A setting in lower case: nodes ignore dashes in names, and the case of values.
   *
   * @param name without dashes
   */
  private Optional<String> setting(String name) {
    return settings.entrySet().stream()
        .filter(it -> it.getKey().replace("-", "").equals(name))
        .map(it -> it.getValue().strip().toLowerCase(Locale.ROOT))
        .findFirst();
  }

  /** Whether a client without credentials may do less than everything, and users can exist. */
  @JsonIgnore
  public boolean needsUsers() {
    return security.profile() != SecurityProfile.OPEN && !anonymous().equals("all");
  }

  /** Whether clients that may send a token have to use TLS. */
  @JsonIgnore
  public boolean needsTls() {
    return security.profile() == SecurityProfile.STRICT || needsUsers();
  }

  /** Whether a client without credentials may do nothing. */
  @JsonIgnore
  public boolean servesOnlyUsers() {
    return security.profile() != SecurityProfile.OPEN && anonymous().equals("none");
  }
}
