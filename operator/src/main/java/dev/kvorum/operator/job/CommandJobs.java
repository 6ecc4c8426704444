package dev.kvorum.operator.job;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.BackupSpec;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.PodExtras;
import dev.kvorum.operator.resources.AccessObjects;
import dev.kvorum.operator.resources.BackupStore;
import dev.kvorum.operator.resources.SecurityContexts;
import dev.kvorum.operator.view.JobUser;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvFromSourceBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds Jobs of the command {@code kvorum-backup}, in the image and with the store of a cluster.
 */
public final class CommandJobs {
  public static final String CONTAINER = "backup";

  private static final String REPORT = "/dev/termination-log";
  private static final String AUTHORITIES = "/etc/kvorum/ca";
  private static final String AUTHORITY = "ca.crt";

  /** The result is in a status by then; Jobs are deleted with their owner anyway. */
  private static final int TTL_SECONDS = 86_400;

  private CommandJobs() {}

  /**
   * What a Job does.
   *
   * @param arguments the verb and its own options
   * @param user that its requests to nodes come from
   * @param tls whether it trusts what clients of the cluster trust
   * @param memory limit of its container
   * @param scratch its directory for temporary files, if it needs one
   */
  public record Task(
      List<String> arguments, JobUser user, boolean tls, String memory, Optional<Volume> scratch) {
    public static final String MEMORY = "512Mi";

    public Task {
      arguments = List.copyOf(arguments);
    }

    /** A task without requests to nodes. */
    public static Task ofStore(List<String> arguments) {
      return new Task(arguments, new JobUser.Unneeded(), false, MEMORY, Optional.empty());
    }
  }

  /**
   * Returns a Job.
   *
   * @param metadata its name, owner and labels, which its pod has too
   * @param seconds after which it fails
   */
  public static Job of(KvorumCluster cluster, ObjectMeta metadata, long seconds, Task task) {
    return new JobBuilder()
        .withMetadata(metadata)
        .withNewSpec()
        .withBackoffLimit(0)
        .withActiveDeadlineSeconds(Math.max(1, seconds))
        .withTtlSecondsAfterFinished(TTL_SECONDS)
        .withTemplate(pod(cluster, metadata, task))
        .endSpec()
        .build();
  }

  private static PodTemplateSpec pod(KvorumCluster cluster, ObjectMeta metadata, Task task) {
    BackupSpec store = requireNonNull(cluster.getSpec().backup());
    List<Volume> volumes = new ArrayList<>(BackupStore.volumes(store));
    if (task.tls()) {
      volumes.add(authorities(cluster));
    }
    task.scratch().ifPresent(volumes::add);
    return requireNonNullElse(cluster.getSpec().pod(), PodExtras.NONE)
        .template(metadata.getLabels())
        .editSpec()
        .withRestartPolicy("Never")
        .withServiceAccountName(AccessObjects.accountName(cluster.getMetadata().getName()))
        .withAutomountServiceAccountToken(false)
        .withEnableServiceLinks(false)
        // The group may read the secrets, and write to the volume.
        .withSecurityContext(SecurityContexts.pod().withFsGroup(SecurityContexts.USER).build())
        .withContainers(container(cluster, store, task))
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

  private static Container container(KvorumCluster cluster, BackupSpec store, Task task) {
    ContainerBuilder container =
        new ContainerBuilder()
            .withName(CONTAINER)
            .withImage(image(cluster))
            .withImagePullPolicy(cluster.getSpec().imagePullPolicy().label())
            .withCommand("java", "@/opt/kvorum/backup.args")
            .withArgs(arguments(store, task))
            .withEnvFrom(credentials(store))
            .withEnv(token(task.user()))
            .withTerminationMessagePath(REPORT)
            // Falls back to the last output, which says why it failed.
            .withTerminationMessagePolicy("FallbackToLogsOnError")
            .withNewResources()
            .addToRequests("cpu", new Quantity("100m"))
            .addToRequests("memory", new Quantity("256Mi"))
            .addToLimits("memory", new Quantity(task.memory()))
            .endResources()
            .withSecurityContext(SecurityContexts.container())
            .withVolumeMounts(BackupStore.mounts(store));
    if (task.tls()) {
      container
          .addNewVolumeMount()
          .withName("ca")
          .withMountPath(AUTHORITIES)
          .withReadOnly(true)
          .endVolumeMount();
    }
    task.scratch()
        .ifPresent(volume ->
            container
                .addNewVolumeMount()
                .withName(volume.getName())
                .withMountPath("/tmp")
                .endVolumeMount());
    return container.build();
  }

  /** The image of its nodes. */
  private static String image(KvorumCluster cluster) {
    String image = cluster.getSpec().image();
    return image == null ? requireNonNullElse(cluster.known().defaultImage(), "") : image;
  }

  private static List<String> arguments(BackupSpec store, Task task) {
    List<String> arguments = new ArrayList<>(task.arguments());
    arguments.add("--store=" + BackupStore.url(store));
    arguments.add("--report=" + REPORT);
    if (store.encryptionRef() != null) {
      arguments.add("--key-file=" + BackupStore.SECRETS + "/" + BackupStore.KEY);
    }
    if (task.tls()) {
      arguments.add("--ca=" + AUTHORITIES + "/" + AUTHORITY);
    }
    return arguments;
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
