package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeEnvironmentTest {
  @Test
  void settingsBecomeVariablesInSpringsForm() {
    assertThat(NodeEnvironment.variable("kvorum.limits.request-timeout"))
        .isEqualTo("KVORUM_LIMITS_REQUESTTIMEOUT");
  }

  @Test
  void settingsThatTheOperatorMakesAreRefusedHoweverTheyAreWritten() {
    for (String taken :
        List.of(
            "kvorum.data-dir",
            "kvorum.data.dir",
            "server.port",
            "kvorum.cluster.id",
            "kvorum.tls.dir",
            "KVORUM_NODE_NAME",
            "a b")) {
      assertThat(NodeEnvironment.invalid(Specs.withSetting(taken, "x")))
          .as(taken)
          .extracting(Notice::reason)
          .containsExactly(Reason.INVALID_SETTINGS);
    }
    assertThat(NodeEnvironment.invalid(Specs.withSetting("kvorum.limits.value-max", "2MB")))
        .isEmpty();
  }

  @Test
  void tlsThatCannotWorkIsRefused() {
    assertThat(NodeEnvironment.invalid(Specs.withSetting("kvorum.tls.http", "permissive")))
        .containsExactly(
            new Notice(
                Reason.INVALID_SETTINGS,
                "settings: 'kvorum.tls.http' needs security.certificates.secretRef, or the"
                    + " security.profile standard or strict"));
    assertThat(NodeEnvironment.invalid(Specs.withSetting("kvorum.tls.http", "off"))).isEmpty();
    assertThat(
            NodeEnvironment.invalid(
                Specs.withCertificates("certs", Map.of("kvorum.tls.management", "required"))))
        .isEmpty();
    for (String setting : List.of("kvorum.tls.http", "kvorum.tls.peer")) {
      assertThat(
              NodeEnvironment.invalid(
                  Specs.secured(Specs.withSetting(setting, "permissive"), "standard")))
          .containsExactly(
              new Notice(
                  Reason.INVALID_SETTINGS,
                  "settings: '" + setting + "' follows security.profile, which is not open"));
    }
    assertThat(
            NodeEnvironment.invalid(
                Specs.secured(Specs.withSetting("kvorum.tls.client-auth", "optional"), "strict")))
        .extracting(Notice::reason)
        .containsExactly(Reason.INVALID_SETTINGS);
    assertThat(
            NodeEnvironment.invalid(
                Specs.secured(Specs.withSetting("kvorum.tls.management", "permissive"), "strict")))
        .isEmpty();
  }
}
