package dev.kvorum.operator.job;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.BootstrapSpec.RestoreSource;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.ManagementPort;
import dev.kvorum.operator.view.JobUser;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds the Jobs of the restore that a cluster begins with. */
public final class RestoreJobs {
  private static final Duration CHECK_MAX = Duration.ofMinutes(10);
  private static final Duration RESTORE_MAX = Duration.ofHours(24);

  private RestoreJobs() {}

  public static String checkName(String cluster) {
    return cluster + "-restore-check";
  }

  /** Of the Job that restores, and of its user. */
  public static String restoreName(String cluster) {
    return cluster + "-restore";
  }

  private static ObjectMeta metadata(KvorumCluster cluster, String name) {
    return Labels.ownedMetadata(cluster, name, Labels.ofJob(Labels.RESTORE, cluster));
  }

  /** The Job that looks whether all files of the backup are there. */
  public static Job check(KvorumCluster cluster, RestoreSource source) {
    List<String> arguments = new ArrayList<>();
    arguments.add("verify");
    arguments.add("--level=presence");
    arguments.add("--id=" + requireNonNullElse(source.id(), "latest"));
    arguments.add("--cluster=" + source.clusterId());
    if (source.schedule() != null) {
      arguments.add("--series=" + source.schedule());
    }
    return CommandJobs.of(
        cluster,
        metadata(cluster, checkName(cluster.getMetadata().getName())),
        CHECK_MAX.toSeconds(),
        CommandJobs.Task.ofStore(arguments));
  }

  /** The Job that orders the members to restore the backup. */
  public static Job restore(
      KvorumCluster cluster, List<TopologyMember> members, String id, JobUser user) {
    return CommandJobs.of(
        cluster,
        metadata(cluster, restoreName(cluster.getMetadata().getName())),
        RESTORE_MAX.toSeconds(),
        new CommandJobs.Task(
            List.of(
                "restore",
                "--id=" + id,
                "--nodes="
                    + ManagementPort.urls(
                        cluster, members.stream().map(TopologyMember::name).toList()),
                "--node-credentials",
                "--timeout=" + RESTORE_MAX),
            user,
            ManagementPort.speaksTls(cluster),
            CommandJobs.Task.MEMORY,
            Optional.empty()));
  }

  /** The user that orders come from. The operator stores its token. */
  public static KvorumUser user(KvorumCluster cluster) {
    String name = cluster.getMetadata().getName();
    return JobUsers.administrator(metadata(cluster, restoreName(name)), name);
  }
}
