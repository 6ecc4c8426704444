package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumClusterSpec;
import io.fabric8.kubernetes.api.model.PodSpec;

/** The nodes' port for probes, metrics and reports, which may refuse plain connections. */
public final class ManagementPort {
  public static final int NUMBER = 8090;
  static final String SETTING = "kvorum.tls.management";

  private ManagementPort() {}

  /** Whether a pod's node needs TLS there. */
  public static boolean isSecured(PodSpec pod) {
    return TlsMode.of(NodeEnvironment.value(pod, SETTING)) == TlsMode.REQUIRED;
  }

  /** Whether pods of a spec will need TLS there. */
  static boolean isSecured(KvorumClusterSpec spec) {
    return TlsMode.of(spec.settings().getOrDefault(SETTING, "")) == TlsMode.REQUIRED;
  }
}
