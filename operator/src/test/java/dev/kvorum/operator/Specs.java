package dev.kvorum.operator;

import dev.kvorum.operator.api.CertificatesSpec;
import dev.kvorum.operator.api.DeletionPolicy;
import dev.kvorum.operator.api.FeatureActivation;
import dev.kvorum.operator.api.FeaturesSpec;
import dev.kvorum.operator.api.HostsSpec;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.ResourcesSpec;
import dev.kvorum.operator.api.SecretReference;
import dev.kvorum.operator.api.SecuritySpec;
import dev.kvorum.operator.api.StorageSpec;
import dev.kvorum.operator.api.Unsatisfiable;
import dev.kvorum.operator.api.ZonesSpec;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.Map;

/** Specs of clusters that differ in what a test is about. */
public final class Specs {
  private Specs() {}

  /** With a setting of the nodes. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static KvorumClusterSpec withSetting(String name, String value) {
    return new KvorumClusterSpec(
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        Map.of(name, value),
        null,
        null,
        null,
        null,
        null);
  }

  /** With certificates in a Secret, and settings of the nodes. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static KvorumClusterSpec withCertificates(String secret, Map<String, String> settings) {
    SecuritySpec security = new SecuritySpec(new CertificatesSpec(new SecretReference(secret)));
    return new KvorumClusterSpec(
        null, null, null, null, null, null, null, null, null, settings, null, null, null, null,
        security);
  }

  /** With a limit of the members' memory. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static KvorumClusterSpec withMemory(String limit) {
    ResourcesSpec resources = new ResourcesSpec(Map.of(), Map.of("memory", new IntOrString(limit)));
    return new KvorumClusterSpec(
        null, null, null, null, resources, null, null, null, null, null, null, null, null, null,
        null);
  }

  /** Of one member that keeps the only copies. */
  public static KvorumClusterSpec alone() {
    return withOneCopy(1);
  }

  /** Whose members' failure domains are named by a label. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static KvorumClusterSpec withZones(String key) {
    ZonesSpec zones = new ZonesSpec(key, null);
    return new KvorumClusterSpec(
        null, null, null, null, null, zones, null, null, null, null, null, null, null, null, null);
  }

  /** Whose members share no machine. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static KvorumClusterSpec withOwnMachines() {
    HostsSpec hosts = new HostsSpec(Unsatisfiable.DO_NOT_SCHEDULE);
    return new KvorumClusterSpec(
        null, null, null, null, null, null, hosts, null, null, null, null, null, null, null, null);
  }

  /** Of so many members that each keep the only copies of what they keep. */
  public static KvorumClusterSpec withOneCopy(int replicas) {
    return withOneCopy(replicas, "kvorum:1", "10Gi");
  }

  /** The same from an image, with volumes of a size. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static KvorumClusterSpec withOneCopy(int replicas, String image, String size) {
    StorageSpec storage = new StorageSpec(size, null);
    return new KvorumClusterSpec(
        replicas, 1, null, storage, null, null, null, image, null, null, null, null, null, null,
        null);
  }

  /** Of three members with the default image, with volumes of a size. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static KvorumClusterSpec withoutImage(String size) {
    StorageSpec storage = new StorageSpec(size, null);
    return new KvorumClusterSpec(
        3, 3, null, storage, null, null, null, null, null, null, null, null, null, null, null);
  }

  /** In which nothing may be changed. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static KvorumClusterSpec paused() {
    return new KvorumClusterSpec(
        null, null, null, null, null, null, null, null, null, null, true, null, null, null, null);
  }

  /** Of so many members from an image, whose features become active or do not. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static KvorumClusterSpec of(int replicas, String image, FeatureActivation activation) {
    FeaturesSpec features = new FeaturesSpec(activation);
    return new KvorumClusterSpec(
        replicas, 3, null, null, null, null, null, image, null, null, null, null, null, features,
        null);
  }

  /** Of so many members from an image, with volumes of a size. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static KvorumClusterSpec of(int replicas, String image, String size) {
    return new KvorumClusterSpec(
        replicas,
        3,
        null,
        new StorageSpec(size, null),
        null,
        null,
        null,
        image,
        null,
        Map.of("kvorum.limits.request-timeout", "2s"),
        false,
        DeletionPolicy.RETAIN,
        null,
        null,
        null);
  }
}
