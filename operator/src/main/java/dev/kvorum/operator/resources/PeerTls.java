package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.SecurityProfile;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecretVolumeSource;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * TLS between members, as one of their pods is started with it. A cluster changes its mode, or the
 * CA behind the Secret, by restarting one pod after the other; {@link #next} has the steps between
 * which all members understand each other.
 *
 * @param mode what the pod accepts and dials
 * @param secret name of the Secret with its certificates; empty if it has none
 */
public record PeerTls(TlsMode mode, String secret) {
  /** Setting of the mode. */
  public static final String SETTING = "kvorum.tls.peer";

  /** No TLS. */
  static final PeerTls NONE = new PeerTls(TlsMode.OFF, "");

  /** Name of the volume with the certificates. */
  static final String VOLUME = "certificates";

  /** Name of the Secret with the certificates that the operator issues to a cluster's members. */
  public static String issuedSecret(String cluster) {
    return cluster + "-tls";
  }

  /** Whether one of the settings {@code kvorum.tls.*} is on, by itself or by the profile. */
  public static boolean isUsed(KvorumClusterSpec spec, String setting) {
    return spec.security().profile() != SecurityProfile.OPEN
        || TlsMode.of(spec.settings().getOrDefault(setting, "off")) != TlsMode.OFF;
  }

  /** Whether there is none. */
  public boolean isOff() {
    return mode == TlsMode.OFF;
  }

  /** What a pod is started with. */
  public static PeerTls of(PodSpec pod) {
    TlsMode mode = TlsMode.of(NodeEnvironment.value(pod, SETTING));
    String secret =
        pod.getVolumes().stream()
            .filter(volume -> volume.getName().equals(VOLUME))
            .findFirst()
            .map(Volume::getSecret)
            .map(SecretVolumeSource::getSecretName)
            .orElse("");
    return new PeerTls(mode, secret);
  }

  /** What a spec asks for. */
  static PeerTls wanted(KvorumCluster cluster) {
    KvorumClusterSpec spec = cluster.getSpec();
    if (spec.security().profile() == SecurityProfile.OPEN) {
      return new PeerTls(
          TlsMode.of(spec.settings().getOrDefault(SETTING, "off")),
          spec.security().secret().orElse(""));
    }
    return new PeerTls(
        TlsMode.REQUIRED,
        spec.security().secret().orElseGet(() -> issuedSecret(cluster.getMetadata().getName())));
  }

  /**
   * What pods are started with next, so that they understand all pods that run.
   *
   * @param running what those have that run
   * @param isIssued whether the certificates that the operator issues exist; until then, pods keep
   *     what they have
   */
  public static PeerTls next(KvorumCluster cluster, Collection<PeerTls> running, boolean isIssued) {
    PeerTls wanted = wanted(cluster);
    return isIssued || !cluster.getSpec().security().issues()
        ? next(wanted, running)
        : running.stream().max(Comparator.comparing(PeerTls::mode)).orElse(NONE);
  }

  static PeerTls next(PeerTls wanted, Collection<PeerTls> running) {
    if (running.stream().allMatch(wanted::understands)) {
      return wanted;
    }
    Optional<PeerTls> insists = running.stream().filter(pod -> !pod.isPlain()).findFirst();
    return new PeerTls(TlsMode.PERMISSIVE, insists.orElse(wanted).secret());
  }

  /** Whether two pods can connect: both take plain connections, or both TLS with the same CA. */
  private boolean understands(PeerTls other) {
    return (isPlain() && other.isPlain())
        || (secret.equals(other.secret) && mode != TlsMode.OFF && other.mode != TlsMode.OFF);
  }

  /** Whether plain connections are accepted, and tried. */
  private boolean isPlain() {
    return mode != TlsMode.REQUIRED;
  }
}
