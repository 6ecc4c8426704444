package dev.kvorum.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.config.KvorumProperties;
import dev.kvorum.config.NodeSettings;
import dev.kvorum.config.NodeStartException;
import dev.kvorum.metrics.Meters;
import dev.kvorum.node.Node;
import dev.kvorum.tracing.Tracer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What is logged about a setting that a node rejects. {@code StartRejectionIT} starts whole nodes.
 */
@ExtendWith(OutputCaptureExtension.class)
class SettingRejectionTest {
  @Test
  void anUnknownSettingOfASpecIsNamedAndMisspeltVariablesOfOthersAreNot() {
    Map<String, String> variables = new HashMap<>(Map.of("KVORUM_LIMTS_VALUEMAX", "1MB"));
    NodeConfiguration.rejectUnknown(variables);
    variables.put("KVORUM_SPEC_SETTINGS", "kvorum.limts.value-max");
    assertThatThrownBy(() -> NodeConfiguration.rejectUnknown(variables))
        .isInstanceOf(NodeStartException.class)
        .hasMessage("kvorum.limts.value-max is no setting; did you mean kvorum.limits.value-max?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kvorum.storage.durabilty     | async       | is no setting; did you mean kvorum.storage.durability?",
        "kvorum.storage.durability    | sometimes   | must be sync or async",
        "kvorum.storage.on-corruption | ignore      | must be rebuild or fail",
        "kvorum.storage.reclaim-share | 0           | kvorum.storage.reclaim-share",
        "kvorum.storage.direct-io     | sometimes   | must be on or off",
        "kvorum.storage.blob-space-max | 1          | kvorum.storage.blob-space-max is 1.0",
        "kvorum.storage.blob-min      | 10B         | kvorum.storage.blob-min",
        "kvorum.cluster.peers         | rejected     | has no name and '='",
        "kvorum.cluster.peers         | rejected=x:y | has no valid port",
        "kvorum.cluster.peers         | a=x:1,b=y:2 | does not list this node, rejected",
        "kvorum.limits.value-max      | 1GB         | kvorum.limits.value-max",
        "kvorum.cluster.replication   | 0           | kvorum.cluster.replication is 0",
        "kvorum.storage.read-threads  | 0           | kvorum.storage.read-threads",
        "kvorum.storage.sync-interval | 0           | kvorum.storage.sync-interval in milliseconds is 0",
        "kvorum.tracing.endpoint      | otel:4317   | it must be an http or https URL",
        "kvorum.tracing.endpoint      | file:///x   | it must be an http or https URL",
        "kvorum.tracing.sample        | 2           | kvorum.tracing.sample is 2",
        "kvorum.limits.request-timeout | soon       | kvorum.limits.request-timeout is 'soon'; it must be a duration with a unit",
        "kvorum.limits.request-timeout | 1500       | is '1500', without a unit; write 1500ms or 1500s",
        "kvorum.limits.value-max      | big         | kvorum.limits.value-max is 'big'; it must be a size",
        "kvorum.cluster.replication   | three       | kvorum.cluster.replication is 'three'; it must be a whole number",
        "kvorum.node.name             | a=b,c       | kvorum.node.name",
      })
  void theLogNamesTheSettingThatIsWrong(
      String setting, String value, String words, @TempDir Path directory, CapturedOutput output) {
    Map<String, String> settings = settings(directory);
    settings.put(setting, value);

    assertThatThrownBy(() -> run(settings)).as("%s=%s", setting, value).isNotNull();

    assertThat(lastLine(output)).startsWith("The node does not start: ").contains(words);
  }

  @Test
  void dataKeepsItsReplication(@TempDir Path directory, CapturedOutput output) {
    Map<String, String> settings = settings(directory);
    settings.put("kvorum.cluster.replication", "2");
    run(settings);
    run(settings);

    settings.put("kvorum.cluster.replication", "3");
    assertThatThrownBy(() -> run(settings)).isNotNull();

    assertThat(lastLine(output))
        .contains("has data with kvorum.cluster.replication=2, this node is set to 3");
  }

  private static Map<String, String> settings(Path directory) {
    Map<String, String> settings = new HashMap<>();
    settings.put("spring.main.web-application-type", "none");
    settings.put("kvorum.node.name", "rejected");
    settings.put("kvorum.data-dir", directory.resolve("data").toString());
    return settings;
  }

  /** The message of the last line; there is no stack trace. */
  private static String lastLine(CapturedOutput output) {
    String log = output.getAll();
    assertThat(log).doesNotContain("\tat ");
    String line = log.lines().reduce("", (before, after) -> after);
    return line.substring(line.indexOf(" - ") + " - ".length()).strip();
  }

  private static void run(Map<String, String> settings) {
    String[] arguments =
        settings.entrySet().stream()
            .map(setting -> "--" + setting.getKey() + "=" + setting.getValue())
            .toArray(String[]::new);
    SpringApplication.run(NodeOnly.class, arguments).close();
  }

  /** A node without its HTTP server. */
  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KvorumProperties.class)
  static class NodeOnly {
    @Bean
    static ConfigurationPropertiesBindHandlerAdvisor durationUnits() {
      return new DurationUnits();
    }

    @Bean(destroyMethod = "close")
    Node node(KvorumProperties properties) {
      NodeSettings settings = NodeSettings.of(properties);
      return new Node(
          settings,
          settings.peerTls(),
          InstantSource.system(),
          new Meters(new SimpleMeterRegistry()),
          Tracer.NONE);
    }
  }
}
