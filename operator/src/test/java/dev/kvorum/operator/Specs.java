package dev.kvorum.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.operator.api.FeatureActivation;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;

/** Specs of clusters that differ in what a test is about. */
public final class Specs {
  private Specs() {}

  /** The cluster {@code shop/kvorum} with a spec. */
  public static KvorumCluster cluster(KvorumClusterSpec spec) {
    KvorumCluster cluster = new KvorumCluster();
    cluster.setMetadata(
        new ObjectMetaBuilder().withName("kvorum").withNamespace("shop").withUid("uid-1").build());
    cluster.setSpec(spec);
    return cluster;
  }

  /** From the fields that are given, as in an object of the API server. */
  public static KvorumClusterSpec of(Map<String, Object> fields) {
    return Serialization.unmarshal(Serialization.asJson(fields), KvorumClusterSpec.class);
  }

  /** With a setting of the nodes. */
  public static KvorumClusterSpec withSetting(String name, String value) {
    return of(Map.of("settings", Map.of(name, value)));
  }

  /** The same, with a setting of the nodes. */
  public static KvorumClusterSpec withSetting(KvorumClusterSpec spec, String name, String value) {
    ObjectNode fields = Serialization.unmarshal(Serialization.asJson(spec), ObjectNode.class);
    fields.withObject("/settings").put(name, value);
    return Serialization.unmarshal(fields.toString(), KvorumClusterSpec.class);
  }

  /** With certificates in a Secret, and settings of the nodes. */
  public static KvorumClusterSpec withCertificates(String secret, Map<String, String> settings) {
    Map<String, Object> certificates = Map.of("secretRef", Map.of("name", secret));
    return of(Map.of("settings", settings, "security", Map.of("certificates", certificates)));
  }

  /** Of so many members, secured by a profile. */
  public static KvorumClusterSpec withProfile(int replicas, String profile) {
    return secured(of(replicas, "kvorum:2", "20Gi"), profile);
  }

  /** The same, secured by a profile. */
  public static KvorumClusterSpec secured(KvorumClusterSpec spec, String profile) {
    ObjectNode fields = Serialization.unmarshal(Serialization.asJson(spec), ObjectNode.class);
    fields.putObject("security").put("profile", profile);
    return Serialization.unmarshal(fields.toString(), KvorumClusterSpec.class);
  }

  /** The same, secured by a profile with certificates in a Secret. */
  public static KvorumClusterSpec secured(KvorumClusterSpec spec, String profile, String secret) {
    ObjectNode fields =
        Serialization.unmarshal(Serialization.asJson(secured(spec, profile)), ObjectNode.class);
    fields.withObject("/security/certificates/secretRef").put("name", secret);
    return Serialization.unmarshal(fields.toString(), KvorumClusterSpec.class);
  }

  /** The same, with a certificate for clients of this issuer. */
  public static KvorumClusterSpec withIssuer(KvorumClusterSpec spec, String issuer) {
    ObjectNode fields = Serialization.unmarshal(Serialization.asJson(spec), ObjectNode.class);
    fields.withObject("/security/certificates/issuerRef").put("name", issuer);
    return Serialization.unmarshal(fields.toString(), KvorumClusterSpec.class);
  }

  /** Of so many members, with this as {@code backup}. */
  public static KvorumClusterSpec withBackup(int replicas, Map<String, Object> backup) {
    return of(Map.of("replicas", replicas, "backup", backup));
  }

  /** With a limit of the members' memory. */
  public static KvorumClusterSpec withMemory(String limit) {
    return of(Map.of("resources", Map.of("limits", Map.of("memory", limit))));
  }

  /** Of one member that keeps the only copies. */
  public static KvorumClusterSpec alone() {
    return withOneCopy(1);
  }

  /** Whose members' failure domains are named by a label. */
  public static KvorumClusterSpec withZones(String key) {
    return of(Map.of("zones", Map.of("key", key)));
  }

  /** Whose members share no machine. */
  public static KvorumClusterSpec withOwnMachines() {
    return of(Map.of("hosts", Map.of("whenUnsatisfiable", "DoNotSchedule")));
  }

  /** Of so many members that each keep the only copies of what they keep. */
  public static KvorumClusterSpec withOneCopy(int replicas) {
    return withOneCopy(replicas, "kvorum:1", "10Gi");
  }

  /** The same from an image, with volumes of a size. */
  public static KvorumClusterSpec withOneCopy(int replicas, String image, String size) {
    return of(
        Map.of(
            "replicas",
            replicas,
            "replication",
            1,
            "image",
            image,
            "storage",
            Map.of("size", size)));
  }

  /** Of three members with the default image, with volumes of a size. */
  public static KvorumClusterSpec withoutImage(String size) {
    return of(Map.of("replicas", 3, "replication", 3, "storage", Map.of("size", size)));
  }

  /** The same from an image, with a time that pods have to become ready. */
  public static KvorumClusterSpec withDeadline(
      KvorumClusterSpec spec, String image, String deadline) {
    ObjectNode fields = Serialization.unmarshal(Serialization.asJson(spec), ObjectNode.class);
    fields.put("image", image);
    fields.withObject("/rollout").put("deadline", deadline);
    return Serialization.unmarshal(fields.toString(), KvorumClusterSpec.class);
  }

  /** In which nothing may be changed. */
  public static KvorumClusterSpec paused() {
    return of(Map.of("paused", true));
  }

  /** The same, in which nothing may be changed. */
  public static KvorumClusterSpec paused(KvorumClusterSpec spec) {
    ObjectNode fields = Serialization.unmarshal(Serialization.asJson(spec), ObjectNode.class);
    fields.put("paused", true);
    return Serialization.unmarshal(fields.toString(), KvorumClusterSpec.class);
  }

  /** Of so many members from an image, whose features become active or do not. */
  public static KvorumClusterSpec of(int replicas, String image, FeatureActivation activation) {
    return of(
        Map.of("replicas", replicas, "image", image, "features", Map.of("activation", activation)));
  }

  /** Of so many members from an image, with volumes of a size. */
  public static KvorumClusterSpec of(int replicas, String image, String size) {
    return of(
        Map.of(
            "replicas",
            replicas,
            "image",
            image,
            "storage",
            Map.of("size", size),
            "settings",
            Map.of("kvorum.limits.request-timeout", "2s")));
  }
}
