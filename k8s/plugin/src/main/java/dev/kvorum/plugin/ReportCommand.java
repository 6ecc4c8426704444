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
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code report}. */
@Command(
    name = "report",
    description = {
      "Collects what an analysis needs into a zip file: objects, events, logs, and what nodes report.",
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

  private final StringBuilder errors = new StringBuilder();

  ReportCommand() {}

  @Override
  int run(Target target) throws IOException, InterruptedException {
    Path path =
        file == null ? Path.of("kvorum-report-" + TIME.format(Instant.now()) + ".zip") : file;
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(path))) {
      for (Class<? extends HasMetadata> kind : KINDS) {
        objects(target, zip, kind);
      }
      for (Pod pod : target.client().pods().inNamespace(target.namespace()).list().getItems()) {
        if (isOurs(pod)) {
          logs(target, zip, pod);
        }
      }
      for (KvorumCluster cluster : target.clusters()) {
        NodeClient nodes = new NodeClient(target, new Access(target, cluster));
        for (Pod pod : target.pods(cluster)) {
          pages(nodes, zip, pod);
        }
      }
      put(zip, "errors.txt", errors.toString());
    }
    out().println("Written: " + path);
    if (!errors.isEmpty()) {
      err().println("Some of it is missing:");
      err().print(errors);
      err().flush();
    }
    return 0;
  }

  private static boolean isOurs(Pod pod) {
    return pod.getMetadata().getLabels() != null
        && pod.getMetadata()
            .getLabels()
            .getOrDefault("app.kubernetes.io/name", "")
            .startsWith("kvorum");
  }

  private <T extends HasMetadata> void objects(Target target, ZipOutputStream zip, Class<T> kind)
      throws IOException {
    String name = kind.getSimpleName();
    try {
      List<T> all =
          target.client().resources(kind).inNamespace(target.namespace()).list().getItems();
      if (!all.isEmpty()) {
        put(zip, "objects/" + name.toLowerCase(Locale.ROOT) + ".yaml", Serialization.asYaml(all));
      }
    } catch (KubernetesClientException e) {
      missing("objects of the kind " + name, Target.sentence(e));
    }
  }

  private void logs(Target target, ZipOutputStream zip, Pod pod) throws IOException {
    String name = pod.getMetadata().getName();
    log(target, zip, name, false);
    boolean hasRestarted =
        pod.getStatus() != null
            && pod.getStatus().getContainerStatuses().stream()
                .anyMatch(it -> it.getRestartCount() > 0);
    if (hasRestarted) {
      log(target, zip, name, true);
    }
  }

  private void log(Target target, ZipOutputStream zip, String pod, boolean isOfPrevious)
      throws IOException {
    String name = pod + (isOfPrevious ? ".previous" : "");
    try {
      var resource = target.client().pods().inNamespace(target.namespace()).withName(pod);
      String text =
          isOfPrevious
              ? resource.terminated().tailingLines(lines).getLog()
              : resource.tailingLines(lines).getLog();
      put(zip, "logs/" + name + ".log", text);
    } catch (KubernetesClientException e) {
      missing("the log of " + name, Target.sentence(e));
    }
  }

  private void pages(NodeClient nodes, ZipOutputStream zip, Pod pod)
      throws IOException, InterruptedException {
    String name = pod.getMetadata().getName();
    for (String page : PAGES) {
      String what = page.substring(page.lastIndexOf('/') + 1);
      String text;
      try {
        text = nodes.get(pod, page);
      } catch (IOException e) {
        missing(page + " of " + name, String.valueOf(e.getMessage()));
        continue;
      }
      put(zip, "nodes/" + name + "/" + what + ".txt", text);
    }
  }

  private void missing(String what, String why) {
    errors.append(what).append(": ").append(why).append('\n');
  }

  private static void put(ZipOutputStream zip, String name, String text) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(text.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }
}
