package dev.kvorum.operator.backup;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.BackupSpec;
import dev.kvorum.operator.api.Durations;
import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.PodExtras;
import dev.kvorum.operator.job.JobUser;
import dev.kvorum.operator.resources.AccessObjects;
import dev.kvorum.operator.resources.BackupStore;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.ManagementPort;
import dev.kvorum.operator.resources.SecurityContexts;
import dev.kvorum.operator.resources.ServiceObjects;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvFromSourceBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Builds the Job of a backup. Data does not pass through it: it orders the nodes, which have the
 * secrets of the object store themselves, and writes the manifest.
 */
public final class BackupJobs {
  public static final String CONTAINER = "backup";

  private static final String REPORT = "/dev/termination-log";
  private static final String AUTHORITIES = "/etc/kvorum/ca";
  private static final String AUTHORITY = "ca.crt";

  /** The result is in the status by then; Jobs are deleted with their backup anyway. */
  private static final int TTL_SECONDS = 86_400;

  private BackupJobs() {}

  static String name(String backup) {
    return backup + "-backup";
  }

  static Map<String, String> labels(KvorumBackup backup) {
    return new TreeMap<>(
        Map.of(
            Labels.NAME_LABEL,
            Labels.BACKUP,
            Labels.INSTANCE_LABEL,
            backup.getMetadata().getName(),
            Labels.MANAGED_BY_LABEL,
            "kvorum-operator"));
  }

  static ObjectMeta metadata(KvorumBackup backup, String name) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(backup.getMetadata().getNamespace())
        .withLabels(labels(backup))
        .withOwnerReferences(Labels.owner(backup))
        .build();
  }

  /** Returns the Job of a backup that has begun. */
  static Job of(KvorumBackup backup, KvorumCluster cluster, JobUser user, Instant now) {
    long left = BackupPlanner.deadline(backup).getEpochSecond() - now.getEpochSecond();
    return new JobBuilder()
        .withMetadata(metadata(backup, name(backup.getMetadata().getName())))
        .withNewSpec()
        .withBackoffLimit(0)
        .withActiveDeadlineSeconds(Math.max(1, left))
        .withTtlSecondsAfterFinished(TTL_SECONDS)
        .withTemplate(pod(backup, cluster, user))
        .endSpec()
        .build();
  }

  private static PodTemplateSpec pod(KvorumBackup backup, KvorumCluster cluster, JobUser user) {
    BackupSpec store = requireNonNull(cluster.getSpec().backup());
    String name = cluster.getMetadata().getName();
    List<Volume> volumes = new ArrayList<>(BackupStore.volumes(store));
    if (ManagementPort.speaksTls(cluster)) {
      volumes.add(authorities(cluster));
    }
    return requireNonNullElse(cluster.getSpec().pod(), PodExtras.NONE)
        .template(labels(backup))
        .editSpec()
        .withRestartPolicy("Never")
        .withServiceAccountName(AccessObjects.accountName(name))
        .withAutomountServiceAccountToken(false)
        .withEnableServiceLinks(false)
        // The group may read the secrets, and write to the volume.
        .withSecurityContext(SecurityContexts.pod().withFsGroup(SecurityContexts.USER).build())
        .withContainers(container(backup, cluster, store, user))
        .withVolumes(volumes)
        .endSpec()
        .build();
  }

  /** What clients of the cluster trust. */
  private static Volume authorities(KvorumCluster cluster) {
    VolumeBuilder volume = new VolumeBuilder().withName("ca");
    return cluster
        .getSpec()
        .security()
        .secret()
        .map(secret ->
            volume
                .withNewSecret()
                .withSecretName(secret)
                .addNewItem()
                .withKey("http.crt")
                .withPath(AUTHORITY)
                .endItem()
                .endSecret()
                .build())
        .orElseGet(() ->
            volume
                .withNewConfigMap()
                .withName(cluster.getMetadata().getName() + "-ca")
                .endConfigMap()
                .build());
  }

  private static Container container(
      KvorumBackup backup, KvorumCluster cluster, BackupSpec store, JobUser user) {
    ContainerBuilder container =
        new ContainerBuilder()
            .withName(CONTAINER)
            .withImage(image(cluster))
            .withImagePullPolicy(cluster.getSpec().imagePullPolicy().label())
            .withCommand("java", "@/opt/kvorum/backup.args")
            .withArgs(arguments(backup, cluster, store))
            .withEnvFrom(credentials(store))
            .withEnv(token(user))
            .withTerminationMessagePath(REPORT)
            // Falls back to the last output, which says why it failed.
            .withTerminationMessagePolicy("FallbackToLogsOnError")
            .withNewResources()
            .addToRequests("cpu", new Quantity("100m"))
            .addToRequests("memory", new Quantity("256Mi"))
            .addToLimits("memory", new Quantity("512Mi"))
            .endResources()
            .withSecurityContext(SecurityContexts.container())
            .withVolumeMounts(BackupStore.mounts(store));
    if (ManagementPort.speaksTls(cluster)) {
      container
          .addNewVolumeMount()
          .withName("ca")
          .withMountPath(AUTHORITIES)
          .withReadOnly(true)
          .endVolumeMount();
    }
    return container.build();
  }

  private static String image(KvorumCluster cluster) {
    String image = cluster.getSpec().image();
    return image == null
        ? requireNonNullElse(
            requireNonNullElse(cluster.getStatus(), KvorumClusterStatus.NONE).defaultImage(), "")
        : image;
  }

  private static List<String> arguments(
      KvorumBackup backup, KvorumCluster cluster, BackupSpec store) {
    List<String> arguments = new ArrayList<>();
    arguments.add("create");
    arguments.add("--store=" + BackupStore.url(store));
    arguments.add("--id=" + backup.known().id());
    arguments.add("--nodes=" + nodes(cluster));
    arguments.add("--node-credentials");
    arguments.add("--timeout=PT" + Durations.seconds(backup.getSpec().deadline()) + "S");
    arguments.add("--report=" + REPORT);
    if (store.encryptionRef() != null) {
      arguments.add("--key-file=" + BackupStore.SECRETS + "/" + BackupStore.KEY);
    }
    if (ManagementPort.speaksTls(cluster)) {
      arguments.add("--ca=" + AUTHORITIES + "/" + AUTHORITY);
    }
    return arguments;
  }

  private static String nodes(KvorumCluster cluster) {
    String name = cluster.getMetadata().getName();
    String scheme = ManagementPort.speaksTls(cluster) ? "https" : "http";
    return IntStream.range(0, cluster.getSpec().replicas())
        .mapToObj(member ->
            "%s://%s-%d.%s.%s.svc:%d"
                .formatted(
                    scheme,
                    name,
                    member,
                    ServiceObjects.peersName(name),
                    cluster.getMetadata().getNamespace(),
                    ManagementPort.NUMBER))
        .collect(Collectors.joining(","));
  }

  private static List<EnvFromSource> credentials(BackupSpec store) {
    return store.credentialsRef() == null
        ? List.of()
        : List.of(
            new EnvFromSourceBuilder()
                .withNewSecretRef()
                .withName(store.credentialsRef().name())
                .endSecretRef()
                .build());
  }

  private static List<EnvVar> token(JobUser user) {
    return user instanceof JobUser.Ready ready
        ? List.of(
            new EnvVarBuilder()
                .withName("KVORUM_TOKEN")
                .withNewValueFrom()
                .withNewSecretKeyRef("token", ready.secret(), false)
                .endValueFrom()
                .build())
        : List.of();
  }
}
