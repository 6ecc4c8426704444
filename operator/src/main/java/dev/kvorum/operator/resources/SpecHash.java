package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.BackupSpec;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.PodExtras;
import dev.kvorum.operator.api.Quantities;
import dev.kvorum.operator.api.ResourcesSpec;
import dev.kvorum.operator.api.SecurityProfile;
import dev.kvorum.operator.api.SecuritySpec;
import dev.kvorum.operator.api.Unsatisfiable;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hashes what a user can set for pods. The hash covers the spec and not the pods, so that a newer
 * operator with another template does not restart pods for that alone. Fields that a spec does not
 * set are left out, so that a new field of the spec changes no hash either.
 */
public final class SpecHash {
  private SpecHash() {}

  /**
   * Returns the hash of a cluster's spec.
   *
   * @param tls what its pods are started with, which differs from the spec's while that changes
   * @param haveUsers whether they are mounted the file with users
   */
  public static String of(KvorumCluster cluster, PeerTls tls, boolean haveUsers) {
    KvorumClusterSpec spec = cluster.getSpec();
    Map<String, String> said = new TreeMap<>();
    said.put("replication", Integer.toString(spec.replication()));
    said.put("durability", spec.durability().setting());
    said.put("imagePullPolicy", spec.imagePullPolicy().label());
    said.put("zones.key", spec.zones().key());
    said.put("zones.whenUnsatisfiable", spec.zones().whenUnsatisfiable().label());
    if (spec.hosts().whenUnsatisfiable() != Unsatisfiable.SCHEDULE_ANYWAY) {
      said.put("hosts.whenUnsatisfiable", spec.hosts().whenUnsatisfiable().label());
    }
    if (spec.image() != null) {
      said.put("image", spec.image());
    }
    if (spec.restartedAt() != null) {
      said.put("restartedAt", spec.restartedAt());
    }
    SecuritySpec security = spec.security();
    security.secret().ifPresent(secret -> said.put("security.certificates", secret));
    if (!tls.equals(PeerTls.wanted(cluster))) {
      // Pods that wait for certificates are those of an open cluster.
      if (!tls.equals(PeerTls.NONE)) {
        said.put("security.peer", tls.mode().setting() + " " + tls.secret());
      }
    } else if (security.profile() != SecurityProfile.OPEN) {
      said.put("security.profile", security.profile().name());
    }
    if (haveUsers) {
      said.put("security.users", "mounted");
    }
    BackupSpec backup = spec.backup();
    if (backup != null) {
      said.put("backup.store", BackupStore.url(backup));
      if (backup.volume() != null) {
        said.put("backup.volume", backup.volume().claimName());
      }
      if (backup.credentialsRef() != null) {
        said.put("backup.credentials", backup.credentialsRef().name());
      }
      if (backup.encryptionRef() != null) {
        said.put("backup.encryption", backup.encryptionRef().name());
      }
    }
    spec.settings().forEach((key, value) -> said.put("settings." + key, value));
    ResourcesSpec resources = spec.resources();
    if (resources != null) {
      resources
          .requests()
          .forEach((key, value) -> said.put("requests." + key, Quantities.text(value)));
      resources.limits().forEach((key, value) -> said.put("limits." + key, Quantities.text(value)));
    }
    PodExtras pod = spec.pod();
    if (pod != null) {
      pod.nodeSelector().forEach((key, value) -> said.put("pod.nodeSelector." + key, value));
      pod.annotations().forEach((key, value) -> said.put("pod.annotations." + key, value));
      pod.labels().forEach((key, value) -> said.put("pod.labels." + key, value));
      if (pod.priorityClassName() != null) {
        said.put("pod.priorityClassName", pod.priorityClassName());
      }
      for (int i = 0; i < pod.tolerations().size(); i++) {
        said.put("pod.tolerations." + i, Serialization.asJson(pod.tolerations().get(i)));
      }
      for (int i = 0; i < pod.imagePullSecrets().size(); i++) {
        said.put("pod.imagePullSecrets." + i, pod.imagePullSecrets().get(i).getName());
      }
    }
    StringBuilder text = new StringBuilder();
    said.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    return ofText(text.toString());
  }

  /** Returns the hash of a text: 12 hexadecimal digits. */
  static String ofText(String text) {
    return Digests.sha256(text).substring(0, 12);
  }
}
