package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.BackupSpec;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.PodExtras;
import dev.kvorum.operator.api.Unsatisfiable;
import dev.kvorum.operator.api.ZonesSpec;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.PodReadinessGate;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builds the template of the members' pods. */
final class PodTemplates {
  /** Revision of this code, recorded on pods for diagnosis. */
  static final String OPERAND_REVISION = "5";

  private static final String HOST = "kubernetes.io/hostname";

  static final String CONTAINER = "node";

  /** 0440: the group is that of the pod. */
  static final int READ_BY_GROUP = 0x120;

  static final int HTTP_PORT = 8080;
  static final int RPC_PORT = 7400;

  /**
   * Selects the container that kubectl uses by default, beside the one that changes the owner of
   * volumes.
   */
  private static final String DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

  /** A node takes at most ten seconds to end readiness, requests in flight, hints and its store. */
  private static final long TERMINATION_SECONDS = 30;

  /** Requests still arrive while the address of the pod is being removed from the Services. */
  private static final long STILL_SERVING_SECONDS = 2;

  private PodTemplates() {}

  static PodTemplateSpec of(KvorumCluster cluster, Operand operand) {
    KvorumClusterSpec spec = cluster.getSpec();
    String name = cluster.getMetadata().getName();
    PodExtras extras = extras(spec);
    PodTemplateSpecBuilder template =
        extras
            .template(Labels.labels(name))
            .editMetadata()
            .withAnnotations(annotations(cluster, extras, operand))
            .endMetadata()
            .editSpec()
            .withServiceAccountName(AccessObjects.accountName(name))
            .withTerminationGracePeriodSeconds(TERMINATION_SECONDS)
            .withEnableServiceLinks(false)
            .withTopologySpreadConstraints(spread(name, spec.zones()))
            .withAffinity(affinity(name, spec.hosts().whenUnsatisfiable()))
            .withSecurityContext(nobody())
            .withContainers(container(cluster, operand))
            .withReadinessGates(new PodReadinessGate(Labels.REACHABLE))
            .addNewVolume()
            .withName("tmp")
            .withNewEmptyDir()
            .withSizeLimit(new Quantity("256Mi"))
            .endEmptyDir()
            .endVolume()
            .endSpec();
    if (!operand.tls().secret().isEmpty()) {
      template.editSpec().addToVolumes(secret(PeerTls.VOLUME, operand.tls().secret())).endSpec();
    }
    if (operand.haveUsers()) {
      template.editSpec().addToVolumes(users(name)).endSpec();
    }
    BackupSpec backup = spec.backup();
    if (backup != null) {
      template.editSpec().addAllToVolumes(BackupStore.volumes(backup)).endSpec();
    }
    return template.build();
  }

  private static Volume secret(String volume, String secret) {
    return new VolumeBuilder()
        .withName(volume)
        .withNewSecret()
        .withSecretName(secret)
        .withDefaultMode(READ_BY_GROUP)
        .endSecret()
        .build();
  }

  /** Only the file: the operator's token is in the same Secret. */
  private static Volume users(String cluster) {
    return new VolumeBuilder(secret(UserFileNames.VOLUME, UserFileNames.secret(cluster)))
        .editSecret()
        .addNewItem()
        .withKey(UserFileNames.NAME)
        .withPath(UserFileNames.NAME)
        .endItem()
        .endSecret()
        .build();
  }

  private static PodSecurityContext nobody() {
    return SecurityContexts.pod()
        .withFsGroup(SecurityContexts.USER)
        // Avoids a walk through all files of a volume at every start.
        .withFsGroupChangePolicy("OnRootMismatch")
        .build();
  }

  private static PodExtras extras(KvorumClusterSpec spec) {
    PodExtras said = spec.pod();
    return said == null ? PodExtras.NONE : said;
  }

  private static Map<String, String> annotations(
      KvorumCluster cluster, PodExtras extras, Operand operand) {
    Map<String, String> annotations = new TreeMap<>(extras.annotations());
    annotations.putIfAbsent(DEFAULT_CONTAINER, CONTAINER);
    if (ManagementPort.isSecured(cluster, operand.tls())) {
      annotations.putIfAbsent("prometheus.io/scheme", "https");
    }
    annotations.put(Labels.SPEC_HASH, SpecHash.of(cluster, operand.tls(), operand.haveUsers()));
    annotations.put(Labels.IMAGE, operand.image());
    annotations.put(Labels.OPERAND_REVISION, OPERAND_REVISION);
    return annotations;
  }

  /** One constraint for each label: the API server rejects two that are equal. */
  private static List<TopologySpreadConstraint> spread(String name, ZonesSpec zones) {
    TopologySpreadConstraint overZones =
        spread(name, zones.key(), zones.whenUnsatisfiable().label());
    return zones.key().equals(HOST)
        ? List.of(overZones)
        : List.of(overZones, spread(name, HOST, Unsatisfiable.SCHEDULE_ANYWAY.label()));
  }

  private static TopologySpreadConstraint spread(String name, String key, String unsatisfiable) {
    return new TopologySpreadConstraintBuilder()
        .withMaxSkew(1)
        .withTopologyKey(key)
        .withWhenUnsatisfiable(unsatisfiable)
        .withLabelSelector(Labels.labelSelector(name))
        .build();
  }

  /**
   * Returns the rule that keeps members off each other's machines. A spread constraint is no such
   * rule: three members on two machines satisfy it.
   */
  private static @Nullable Affinity affinity(String name, Unsatisfiable unsatisfiable) {
    return switch (unsatisfiable) {
      case SCHEDULE_ANYWAY -> null;
      case DO_NOT_SCHEDULE ->
          new AffinityBuilder()
              .withNewPodAntiAffinity()
              .addNewRequiredDuringSchedulingIgnoredDuringExecution()
              .withTopologyKey(HOST)
              .withLabelSelector(Labels.labelSelector(name))
              .endRequiredDuringSchedulingIgnoredDuringExecution()
              .endPodAntiAffinity()
              .build();
    };
  }

  private static Container container(KvorumCluster cluster, Operand operand) {
    KvorumClusterSpec spec = cluster.getSpec();
    MemoryBudget budget = MemoryBudget.of(ContainerResources.memoryLimitBytes(spec));
    String scheme = ManagementPort.isSecured(cluster, operand.tls()) ? "HTTPS" : null;
    ContainerBuilder container =
        new ContainerBuilder()
            .withName(CONTAINER)
            .withImage(operand.image())
            .withImagePullPolicy(spec.imagePullPolicy().label())
            .withPorts(
                port("http", HTTP_PORT),
                port("management", ManagementPort.NUMBER),
                port("rpc", RPC_PORT))
            .withEnv(
                NodeEnvironment.of(cluster, operand, budget, ContainerResources.processors(spec)))
            .withResources(ContainerResources.of(spec))
            // The end of the log, for the condition and Events of a node that does not start.
            .withTerminationMessagePolicy("FallbackToLogsOnError")
            // A node may wait long until it is listed, or read a long log: up to half an hour.
            .withStartupProbe(probe(scheme, "liveness", 1, 1800, 2))
            .withReadinessProbe(probe(scheme, "readiness", 2, 2, 2))
            .withLivenessProbe(probe(scheme, "liveness", 10, 6, 5))
            .withNewLifecycle()
            .withNewPreStop()
            .withNewSleep(STILL_SERVING_SECONDS)
            .endPreStop()
            .endLifecycle()
            .withSecurityContext(SecurityContexts.container())
            .addNewVolumeMount()
            .withName(StatefulSets.VOLUME)
            .withMountPath("/data")
            .endVolumeMount()
            .addNewVolumeMount()
            .withName("tmp")
            .withMountPath("/tmp")
            .endVolumeMount();
    if (!operand.tls().secret().isEmpty()) {
      container.addToVolumeMounts(readOnly(PeerTls.VOLUME, NodeEnvironment.CERTIFICATES));
    }
    if (operand.haveUsers()) {
      container.addToVolumeMounts(readOnly(UserFileNames.VOLUME, UserFileNames.DIRECTORY));
    }
    BackupSpec backup = spec.backup();
    if (backup != null) {
      container.addAllToVolumeMounts(BackupStore.mounts(backup));
    }
    return container.build();
  }

  static VolumeMount readOnly(String volume, String path) {
    return new VolumeMountBuilder().withName(volume).withMountPath(path).withReadOnly(true).build();
  }

  static ContainerPort port(String name, int number) {
    return new ContainerPortBuilder()
        .withName(name)
        .withContainerPort(number)
        .withProtocol("TCP")
        .build();
  }

  private static Probe probe(
      @Nullable String scheme, String group, int periodSeconds, int failures, int timeoutSeconds) {
    return new ProbeBuilder()
        .withNewHttpGet()
        .withPath("/actuator/health/" + group)
        .withNewPort("management")
        .withScheme(scheme)
        .endHttpGet()
        .withPeriodSeconds(periodSeconds)
        .withFailureThreshold(failures)
        .withTimeoutSeconds(timeoutSeconds)
        .build();
  }
}
