package dev.kvorum.plugin;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.MemberStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code status}. */
@Command(
    name = "status",
    description = {
      "Shows a cluster and its members, or all clusters of the namespace.",
      "Sizes, hints and transfers come from the nodes themselves; `-` where one does not respond."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class StatusCommand extends ClusterCommand {
  private static final String UNKNOWN = "-";

  @Option(
      names = "--no-reports",
      description = "only what the API server knows, without requests to the nodes")
  private boolean isWithoutReports;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "name of the KvorumCluster, as --cluster")
  private @Nullable String name;

  StatusCommand() {}

  @Override
  int run(Target target) throws InterruptedException {
    boolean isFirst = true;
    for (KvorumCluster cluster : target.of(name).clusters()) {
      if (!isFirst) {
        out().println();
      }
      print(target, cluster);
      isFirst = false;
    }
    return 0;
  }

  private void print(Target target, KvorumCluster cluster) throws InterruptedException {
    String name = cluster.getMetadata().getName();
    KvorumClusterStatus status = cluster.known();
    List<Pod> pods = target.pods(cluster);
    NodeReports reports =
        NodeReports.of(
            new NodeClient(target, new Access(target, cluster)),
            isWithoutReports ? List.of() : pods);
    out()
        .println(
            "%s: %s, %d/%d members ready, version %s, epoch %d%s"
                .formatted(
                    name,
                    status.phase() == null ? "Unknown" : Words.of(status.phase()),
                    status.readyMembers(),
                    cluster.getSpec().replicas(),
                    Objects.requireNonNullElse(status.version(), UNKNOWN),
                    status.epoch(),
                    phase(target, name)));
    for (Condition condition : status.conditions()) {
      out()
          .println(
              "  %s=%s %s: %s"
                  .formatted(
                      condition.getType(),
                      condition.getStatus(),
                      condition.getReason(),
                      condition.getMessage()));
    }
    printTasks(target, name);
    age(cluster, status, pods).ifPresent(note -> out().println("note: " + note));
    out().println();
    printMembers(status, pods, reports);
    reports.failures().forEach((pod, why) -> err().println("No report of " + pod + ": " + why));
  }

  /** Whether the status is older than what it is about, as a sentence. */
  private static Optional<String> age(
      KvorumCluster cluster, KvorumClusterStatus status, List<Pod> pods) {
    Set<String> members =
        status.memberStates().stream().map(MemberStatus::name).collect(Collectors.toSet());
    long ready =
        pods.stream()
            .filter(it -> members.contains(it.getMetadata().getName()) && Target.isReady(it))
            .count();
    Long generation = cluster.getMetadata().getGeneration();
    Long observed = status.observedGeneration();
    if (ready != status.readyMembers()) {
      return Optional.of(
          "the status is older than the pods: it has %d ready members, %d %s ready now."
                  .formatted(status.readyMembers(), ready, ready == 1 ? "pod is" : "pods are")
              + " Does the operator run?");
    } else if (observed != null && generation != null && observed < generation) {
      return Optional.of("the status is older than the spec. Does the operator run?");
    }
    return Optional.empty();
  }

  private static String phase(Target target, String name) {
    KvorumTopology topology = target.topology(name).get();
    return topology == null ? "" : " (" + Words.of(topology.getSpec().phase()) + ")";
  }

  private void printTasks(Target target, String cluster) {
    for (KvorumTask task :
        target
            .client()
            .resources(KvorumTask.class)
            .inNamespace(target.namespace())
            .list()
            .getItems()) {
      if (task.getSpec().cluster().equals(cluster) && !task.known().ended()) {
        out()
            .println(
                "  KvorumTask %s: %s %s: %s"
                    .formatted(
                        task.getMetadata().getName(),
                        action(task),
                        task.getSpec().member(),
                        TaskCommand.message(task)));
      }
    }
  }

  /** Empty for an action that only a newer operator knows. */
  private static String action(KvorumTask task) {
    return task.getSpec().action() == null ? "" : Words.of(task.getSpec().action());
  }

  private void printMembers(KvorumClusterStatus status, List<Pod> pods, NodeReports reports) {
    Map<String, MemberStatus> members = new LinkedHashMap<>();
    status.memberStates().forEach(member -> members.put(member.name(), member));
    Map<String, Pod> byName = new LinkedHashMap<>();
    pods.forEach(pod -> byName.put(pod.getMetadata().getName(), pod));
    Set<String> names = new LinkedHashSet<>(members.keySet());
    names.addAll(byName.keySet());
    Table table =
        new Table(
            "MEMBER",
            "STATE",
            "READY",
            "ZONE",
            "HOST",
            "VERSION",
            "EPOCH",
            "RESTARTS",
            "DATA",
            "FREE",
            "HINTS",
            "TRANSFER");
    for (String name : names) {
      row(
          table,
          name,
          Optional.ofNullable(members.get(name)),
          Optional.ofNullable(byName.get(name)),
          reports);
    }
    table.print(out());
  }

  private static void row(
      Table table,
      String name,
      Optional<MemberStatus> member,
      Optional<Pod> pod,
      NodeReports reports) {
    Optional<JsonNode> report = reports.of(name);
    table.row(
        name,
        member.map(it -> Words.of(it.state())).orElse("NotAMember"),
        pod.map(it -> Target.isReady(it) ? "yes" : "no").orElse("no pod"),
        report.map(it -> zone(it, name)).filter(it -> !it.isEmpty()).orElse(UNKNOWN),
        pod.map(it -> it.getSpec().getNodeName()).orElse(UNKNOWN),
        member.map(MemberStatus::version).orElse(UNKNOWN),
        member.map(MemberStatus::epoch).map(String::valueOf).orElse(UNKNOWN),
        pod.map(StatusCommand::restarts).orElse(UNKNOWN),
        report.map(it -> Words.bytes(it.path("dataBytes").asLong())).orElse(UNKNOWN),
        report.map(it -> Words.bytes(it.path("diskFreeBytes").asLong())).orElse(UNKNOWN),
        report.map(it -> String.valueOf(it.path("hintsWaiting").asLong())).orElse(UNKNOWN),
        report.map(StatusCommand::transfer).orElse(UNKNOWN));
  }

  private static String zone(JsonNode report, String name) {
    for (JsonNode member : report.path("members")) {
      if (member.path("name").asString("").equals(name)) {
        return member.path("zone").asString("");
      }
    }
    return "";
  }

  private static String restarts(Pod pod) {
    int restarts =
        pod.getStatus() == null
            ? 0
            : pod.getStatus().getContainerStatuses().stream()
                .mapToInt(it -> it.getRestartCount())
                .sum();
    return String.valueOf(restarts);
  }

  private static String transfer(JsonNode report) {
    JsonNode transfer = report.path("transfer");
    if (!report.path("restoring").asString("").isEmpty()) {
      return "restores " + report.path("restoring").asString();
    }
    if (report.path("rebuilding").asBoolean(false)) {
      return "rebuilds, %d of %d slots"
          .formatted(report.path("slotsBack").asInt(), report.path("slots").asInt());
    }
    return transfer.path("state").asString("").equals("RUNNING")
        ? "receives, %d of %d sources, %s"
            .formatted(
                transfer.path("sourcesDone").asInt(),
                transfer.path("sources").asInt(),
                Words.bytes(transfer.path("bytes").asLong()))
        : "none";
  }
}
