package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
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
  void settingsThatTheOperatorMakesAreRejectedHoweverTheyAreWritten() {
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
  void flagsOfTheJvmAreAddedToThoseOfTheMemoryBudget() {
    KvorumClusterSpec spec = Specs.withSetting("jdk.java.options", "  -Xss512k -Dmine=1 ");
    assertThat(NodeEnvironment.invalid(spec)).isEmpty();
    assertThat(values(spec, false, "JDK_JAVA_OPTIONS"))
        .singleElement()
        .asString()
        .startsWith("-Xms128m -Xmx256m ")
        .endsWith(" -Xss512k -Dmine=1");
    for (String flag :
        List.of(
            "-Xmx1g",
            "'-Xmx1g'",
            "-XX:+UseZGC",
            "-Xms1g",
            "-XX:MaxHeapSize=1g",
            "-XX:MaxRAMPercentage=70",
            "-XX:MaxDirectMemorySize=1g",
            "-XX:ActiveProcessorCount=8",
            "-XX:-ExitOnOutOfMemoryError",
            "@/tmp/flags")) {
      assertThat(NodeEnvironment.invalid(Specs.withSetting("jdk.java.options", "-Da=b " + flag)))
          .as(flag)
          .containsExactly(
              new Notice(
                  Reason.INVALID_SETTINGS,
                  "settings: 'jdk.java.options' must not contain "
                      + flag
                      + ": the operator or the image sets it"));
    }
  }

  @Test
  void tlsThatCannotWorkIsRejected() {
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
    KvorumClusterSpec off = Specs.withSetting("kvorum.tls.management", "off");
    assertThat(NodeEnvironment.invalid(Specs.secured(off, "standard"))).isEmpty();
    assertThat(NodeEnvironment.invalid(Specs.secured(off, "strict")))
        .as("the operator's token would be sent in plain")
        .extracting(Notice::reason)
        .containsExactly(Reason.INVALID_SETTINGS);
    assertThat(
            NodeEnvironment.invalid(
                Specs.secured(Specs.withSetting(off, "kvorum.auth.anonymous", "read"), "strict")))
        .isEmpty();
  }

  @Test
  void settingsThatFollowTheStoreOfBackupsAreRejectedBesideIt() {
    for (String setting : List.of("kvorum.backup.stores", "kvorum.backup.secrets-dir")) {
      KvorumClusterSpec spec = Specs.withBackup(3, Map.of("s3", Map.of("bucket", "records")));
      assertThat(NodeEnvironment.invalid(Specs.withSetting(spec, setting, "file:")))
          .containsExactly(
              new Notice(
                  Reason.INVALID_SETTINGS, "settings: '" + setting + "' follows spec.backup"));
      assertThat(NodeEnvironment.invalid(Specs.withSetting(setting, "file:"))).isEmpty();
      assertThat(NodeEnvironment.invalid(Specs.withSetting(spec, "kvorum.backup.rate-max", "8MB")))
          .isEmpty();
    }
  }

  @Test
  void tokensOfServiceAccountsAreCheckedUnlessTheSpecConfiguresIt() {
    assertThat(accounts(Specs.secured(Specs.alone(), "strict"), true)).containsExactly("jwks");
    assertThat(accounts(Specs.secured(Specs.alone(), "strict"), false)).isEmpty();
    for (String name : List.of("kvorum.auth.service-accounts", "kvorum.auth.serviceaccounts")) {
      KvorumClusterSpec said = Specs.secured(Specs.withSetting(name, "token-review"), "standard");
      assertThat(accounts(said, true)).as(name).containsExactly("token-review");
      assertThat(accounts(said, false)).as("they would not start").isEmpty();
      assertThat(NodeEnvironment.invalid(said)).isEmpty();
      assertThat(NodeEnvironment.invalid(Specs.secured(said, "open")))
          .extracting(Notice::reason)
          .containsExactly(Reason.INVALID_SETTINGS);
      assertThat(NodeEnvironment.invalid(Specs.secured(Specs.withSetting(name, "off"), "open")))
          .isEmpty();
    }
  }

  private static List<String> accounts(KvorumClusterSpec spec, boolean haveUsers) {
    return values(spec, haveUsers, "KVORUM_AUTH_SERVICEACCOUNTS");
  }

  @Test
  void theNodeIsToldWhichSettingsItMustKnow() {
    assertThat(values(Specs.withSetting("kvorum.foo.bar", "1"), false, "KVORUM_SPEC_SETTINGS"))
        .containsExactly("kvorum.foo.bar");
    assertThat(values(Specs.withSetting("kvroum.foo.bar", "1"), false, "KVORUM_SPEC_SETTINGS"))
        .containsExactly("kvroum.foo.bar");
    assertThat(values(Specs.of(Map.of()), false, "KVORUM_SPEC_SETTINGS")).isEmpty();
  }

  private static List<String> values(KvorumClusterSpec spec, boolean haveUsers, String name) {
    KvorumCluster cluster = Specs.cluster(spec);
    Operand operand = new Operand("the-id", "kvorum:1", PeerTls.wanted(cluster), haveUsers);
    PodSpec pod = StatefulSets.create(cluster, operand, 3).getSpec().getTemplate().getSpec();
    return pod.getContainers().getFirst().getEnv().stream()
        .filter(variable -> variable.getName().equals(name))
        .map(EnvVar::getValue)
        .toList();
  }
}
