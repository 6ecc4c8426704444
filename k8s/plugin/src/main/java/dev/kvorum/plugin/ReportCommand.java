package dev.kvorum.plugin;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.KvorumRole;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.KvorumUser;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code report}. */
@Command(
    name = "report",
    description = {
      "Collects what an analysis needs into a zip file: objects, events, logs, machines, and"
          + " what nodes report.",
      "It has no Secrets, ConfigMaps, keys or values. Logs may name keys. What may not be read is left out"
          + " and named in errors.txt."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ReportCommand extends ClusterCommand {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private static final List<Class<? extends HasMetadata>> KINDS =
      List.of(
          KvorumCluster.class,
          KvorumTopology.class,
          KvorumTask.class,
          KvorumLoadTest.class,
          KvorumBackup.class,
          KvorumBackupSchedule.class,
          KvorumUser.class,
          KvorumRole.class,
          StatefulSet.class,
          Deployment.class,
          Job.class,
          Pod.class,
          PersistentVolumeClaim.class,
          Service.class,
          PodDisruptionBudget.class,
          NetworkPolicy.class,
          Event.class);

  private static final List<String> NODE_LABELS =
      List.of(
          "kubernetes.io/hostname",
          "topology.kubernetes.io/region",
          "topology.kubernetes.io/zone",
          "node.kubernetes.io/instance-type");

  /** Pages of a node's management port. */
  private static final List<String> PAGES =
      List.of("/actuator/kvorum", "/actuator/health", "/actuator/prometheus", "/actuator/backup");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "default: kvorum-report-<time>.zip")
  private @Nullable Path file;

  @Option(
      names = "--lines",
      paramLabel = "N",
      defaultValue = "5000",
      description = "last lines of each log; default 5000")
  private int lines;

  ReportCommand() {}

  @Override
  int run(Target target) throws IOException, InterruptedException {
    List<String> errors = new ArrayList<>();
    List<KvorumCluster> clusters = clusters(target, errors);
    Path path =
        file == null ? Path.of("kvorum-report-" + TIME.format(Instant.now()) + ".zip") : file;
    boolean isEmpty;
    try (ReportFile report = ReportFile.create(path, errors)) {
      // Everybody may read that.
      report.part(
          "the version of Kubernetes",
          "kubernetes.txt",
          () -> target.client().getKubernetesVersion().getGitVersion() + "\n");
      int versions = report.count();
      for (Class<? extends HasMetadata> kind : KINDS) {
        objects(target, report, kind);
      }
      surroundings(target, report);
      for (Pod pod : pods(target, report)) {
        logs(target, report, pod);
      }
      for (KvorumCluster cluster : clusters) {
        nodes(target, report, cluster);
      }
      report.put("errors.txt", String.join("", errors));
      isEmpty = report.count() == versions;
    }
    if (isEmpty) {
      Files.delete(path);
      throw Target.failed("Nothing could be read:\n" + String.join("", errors).strip());
    }
    out().println("Written: " + path);
    if (!errors.isEmpty()) {
      err().println("Some of it is missing:");
      errors.forEach(err()::print);
      err().flush();
    }
    return 0;
  }

  /** Those that are meant; none where they may not be read. */
  private static List<KvorumCluster> clusters(Target target, List<String> errors) {
    try {
      return target.clusters();
    } catch (KubernetesClientException e) {
      if (e.getCode() == 0) {
        throw e;
      }
      errors.add("reports of nodes: " + Target.sentence(e) + "\n");
      return List.of();
    }
  }

  private static <T extends HasMetadata> void objects(
      Target target, ReportFile report, Class<T> kind) throws IOException, InterruptedException {
    String name = kind.getSimpleName();
    report.part(
        "objects of the kind " + name,
        "objects/" + name.toLowerCase(Locale.ROOT) + ".yaml",
        () -> {
          List<T> all =
              target.client().resources(kind).inNamespace(target.namespace()).list().getItems();
          return all.isEmpty() ? "" : Serialization.asYaml(all);
        });
  }

  /** What the cluster runs on, which has no namespace. */
  private static void surroundings(Target target, ReportFile report)
      throws IOException, InterruptedException {
    KubernetesClient client = target.client();
    report.part(
        "Nodes",
        "objects/node.yaml",
        () ->
            Serialization.asYaml(
                client.nodes().list().getItems().stream().map(ReportCommand::shortened).toList()));
    report.part(
        "StorageClasses",
        "objects/storageclass.yaml",
        () -> {
          List<StorageClass> used =
              client
                  .persistentVolumeClaims()
                  .inNamespace(target.namespace())
                  .list()
                  .getItems()
                  .stream()
                  .map(it -> it.getSpec().getStorageClassName())
                  .filter(Objects::nonNull)
                  .distinct()
                  .map(it -> client.storage().v1().storageClasses().withName(it).get())
                  .filter(Objects::nonNull)
                  .toList();
          return used.isEmpty() ? "" : Serialization.asYaml(used);
        });
  }

  /** A machine without its images, addresses and annotations. */
  private static Map<String, Object> shortened(Node node) {
    Map<String, String> labels = new TreeMap<>();
    Optional.ofNullable(node.getMetadata().getLabels())
        .ifPresent(all ->
            NODE_LABELS.forEach(it -> {
              if (all.containsKey(it)) {
                labels.put(it, all.get(it));
              }
            }));
    Map<String, Object> text = new LinkedHashMap<>();
    text.put("name", node.getMetadata().getName());
    text.put("labels", labels);
    if (node.getStatus() != null) {
      if (node.getStatus().getNodeInfo() != null) {
        text.put("version", node.getStatus().getNodeInfo().getKubeletVersion());
      }
      text.put("conditions", node.getStatus().getConditions());
      text.put("allocatable", node.getStatus().getAllocatable());
    }
    return text;
  }

  private static List<Pod> pods(Target target, ReportFile report) {
    try {
      return target.client().pods().inNamespace(target.namespace()).list().getItems().stream()
          .filter(ReportCommand::isOurs)
          .toList();
    } catch (KubernetesClientException e) {
      report.missing("logs", Target.sentence(e));
      return List.of();
    }
  }

  private static boolean isOurs(Pod pod) {
    return pod.getMetadata().getLabels() != null
        && pod.getMetadata()
            .getLabels()
            .getOrDefault("app.kubernetes.io/name", "")
            .startsWith("kvorum");
  }

  private void logs(Target target, ReportFile report, Pod pod)
      throws IOException, InterruptedException {
    String name = pod.getMetadata().getName();
    PodResource resource = target.client().pods().inNamespace(target.namespace()).withName(name);
    report.part(
        "the log of " + name, "logs/" + name + ".log", () -> resource.tailingLines(lines).getLog());
    boolean hasRestarted =
        pod.getStatus() != null
            && pod.getStatus().getContainerStatuses().stream()
                .anyMatch(it -> it.getRestartCount() > 0);
    if (hasRestarted) {
      report.part(
          "the log of " + name + ".previous",
          "logs/" + name + ".previous.log",
          () -> resource.terminated().tailingLines(lines).getLog());
    }
  }

  private static void nodes(Target target, ReportFile report, KvorumCluster cluster)
      throws IOException, InterruptedException {
    NodeClient nodes = new NodeClient(target, new Access(target, cluster));
    List<Pod> pods;
    try {
      pods = target.pods(cluster);
    } catch (KubernetesClientException e) {
      report.missing("reports of nodes", Target.sentence(e));
      return;
    }
    for (Pod pod : pods) {
      String name = pod.getMetadata().getName();
      for (String page : PAGES) {
        String what = page.substring(page.lastIndexOf('/') + 1);
        report.part(
            page + " of " + name,
            "nodes/" + name + "/" + what + ".txt",
            () -> nodes.get(pod, page));
      }
    }
  }
}
