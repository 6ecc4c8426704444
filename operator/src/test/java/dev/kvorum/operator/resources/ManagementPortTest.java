package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumClusterSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who asks port 8090 by TLS. */
class ManagementPortTest {
  @Test
  void whereManagementNeedsTlsProbesUseIt() {
    for (String mode : List.of("off", "permissive", "required")) {
      boolean isSecured = mode.equals("required");
      PodTemplateSpec pod =
          ObjectsTest.set(Specs.withCertificates("certs", Map.of("kvorum.tls.management", mode)))
              .getSpec()
              .getTemplate();
      Container node = pod.getSpec().getContainers().getFirst();
      assertThat(List.of(node.getStartupProbe(), node.getReadinessProbe(), node.getLivenessProbe()))
          .as(mode)
          .allSatisfy(probe ->
              assertThat(probe.getHttpGet().getScheme()).isEqualTo(isSecured ? "HTTPS" : null));
      assertThat(ManagementPort.speaksTls(pod.getSpec())).as(mode).isEqualTo(!mode.equals("off"));
      assertThat(pod.getMetadata().getAnnotations().containsKey("prometheus.io/scheme"))
          .as(mode)
          .isEqualTo(isSecured);
    }
  }

  @Test
  void aStrictClusterNeedsTlsForManagementByDefault() {
    KvorumClusterSpec off = Specs.withSetting("kvorum.tls.management", "off");
    assertThat(ManagementPort.speaksTls(pod(Specs.secured(Specs.alone(), "strict")))).isTrue();
    assertThat(ManagementPort.speaksTls(pod(Specs.secured(Specs.alone(), "standard")))).isFalse();
    assertThat(ManagementPort.speaksTls(pod(Specs.secured(off, "strict")))).isFalse();
  }

  /** Nodes show their state to the operator's token, which is sent only by TLS. */
  @Test
  void aClusterThatServesOnlyUsersIsAskedByTls() {
    KvorumClusterSpec none = Specs.withSetting("kvorum.auth.anonymous", "none");
    KvorumClusterSpec read = Specs.withSetting("kvorum.auth.anonymous", "read");
    assertThat(scheme(Specs.secured(none, "standard"))).isEqualTo("HTTPS");
    assertThat(scheme(Specs.secured(read, "standard"))).isNull();
    KvorumClusterSpec permissive = Specs.withSetting("kvorum.tls.management", "permissive");
    assertThat(scheme(Specs.secured(permissive, "strict"))).isEqualTo("HTTPS");
    assertThat(scheme(Specs.secured(permissive, "standard"))).isNull();
  }

  private static @Nullable String scheme(KvorumClusterSpec spec) {
    PodSpec pod = pod(spec);
    String scheme = pod.getContainers().getFirst().getReadinessProbe().getHttpGet().getScheme();
    assertThat(ManagementPort.speaksTls(pod) || scheme == null).isTrue();
    return scheme;
  }

  private static PodSpec pod(KvorumClusterSpec spec) {
    return ObjectsTest.set(spec).getSpec().getTemplate().getSpec();
  }
}
