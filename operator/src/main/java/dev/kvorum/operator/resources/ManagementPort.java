package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.SecurityProfile;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The nodes' port for probes, metrics and reports, which may reject plain connections. */
public final class ManagementPort {
  public static final int NUMBER = 8090;
  static final String SETTING = "kvorum.tls.management";

  private ManagementPort() {}

  /** The addresses of members for commands, separated by commas. */
  public static String urls(KvorumCluster cluster, List<String> members) {
    String scheme = speaksTls(cluster) ? "https" : "http";
    String domain =
        ServiceObjects.peersName(cluster.getMetadata().getName())
            + "."
            + cluster.getMetadata().getNamespace()
            + ".svc";
    return members.stream()
        .map(member -> scheme + "://" + member + "." + domain + ":" + NUMBER)
        .collect(Collectors.joining(","));
  }

  /** Whether a pod's node speaks TLS there. */
  public static boolean speaksTls(PodSpec pod) {
    return TlsMode.of(NodeEnvironment.value(pod, SETTING)) != TlsMode.OFF;
  }

  /** Whether the nodes of a cluster do, once they are as its spec has them. */
  public static boolean speaksTls(KvorumCluster cluster) {
    return TlsMode.of(mode(cluster, PeerTls.wanted(cluster)).orElse("")) != TlsMode.OFF;
  }

  /** The mode that a spec asks for; empty: none. */
  static Optional<String> mode(KvorumCluster cluster, PeerTls tls) {
    KvorumClusterSpec spec = cluster.getSpec();
    String said = spec.settings().get(SETTING);
    if (said != null) {
      return Optional.of(said);
    }
    boolean byProfile =
        spec.security().profile() == SecurityProfile.STRICT && tls.equals(PeerTls.wanted(cluster));
    // The operator shows its token only by TLS.
    return byProfile || (!tls.isOff() && spec.servesOnlyUsers())
        ? Optional.of(TlsMode.REQUIRED.setting())
        : Optional.empty();
  }

  /**
   * Whether pods are to be asked by TLS there: where it is needed, and where tokens are shown.
   *
   * @param tls what they are started with
   */
  static boolean isSecured(KvorumCluster cluster, PeerTls tls) {
    return switch (TlsMode.of(mode(cluster, tls).orElse(""))) {
      case OFF -> false;
      case PERMISSIVE -> cluster.getSpec().servesOnlyUsers();
      case REQUIRED -> true;
    };
  }
}
