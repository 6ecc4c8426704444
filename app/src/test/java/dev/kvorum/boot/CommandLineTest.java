package dev.kvorum.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.config.SettingNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--server.prot=8080            | --server.prot is no setting; did you mean --server.port?",
        "--port=8080                   | did you mean --server.port?",
        "--kvorum.storage.durabilty=x  | did you mean --kvorum.storage.durability?",
        "--kvroum.limits.request-timeout=1s | did you mean --kvorum.limits.request-timeout?",
        "--replication=2               | did you mean --kvorum.cluster.replication?",
        "--managment.server.port=1     | did you mean --management.server.port?",
        "--zzzzzzzzzzzz=1              | --zzzzzzzzzzzz is no setting; --help lists all settings",
        "--kvorum.rpc.port             | --kvorum.rpc.port has no value; write --kvorum.rpc.port=VALUE",
        "--kvorum.nodeName=b            | did you mean --kvorum.node.name?",
        "--kvorum.node.name=b           | --kvorum.node.name is given twice",
        "serve                         | 'serve' is no option; options are --NAME=VALUE, see --help",
        "-p                            | '-p' is no option",
      })
  void namesTheMistakeAndTheNearestSetting(String argument, String words) {
    assertThat(CommandLine.mistake("--kvorum.node.name=a", argument))
        .hasValueSatisfying(line -> assertThat(line).contains(words));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--kvorum.limits.request-timeout=1s",
        "--kvorum.limits.requestTimeout=1s",
        "--server.port=1",
        "--kvorum.cluster.peers=a=b:1,c=d:2",
        "--kvorum.node.zone=",
        "--server.address=127.0.0.1",
        "--logging.level.dev.kvorum=debug",
        "--logging.structured.format.console=ecs",
        "--spring.config.location=x",
        "--management.endpoint.health.group.live.include=x",
      })
  void acceptsSettingsOfKvorumAndOfSpring(String argument) {
    assertThat(CommandLine.mistake(argument)).isEmpty();
  }

  @Test
  void helpListsEverySettingWithItsDefaultAndMeaning() {
    assertThat(CommandLine.output("--server.port=1", "--help"))
        .contains(new CommandLine.Output(CommandLine.help(), ""));
    assertThat(CommandLine.output("--server.port=1")).isEmpty();
    assertThat(CommandLine.help())
        .contains(SettingNames.list().stream().map(name -> "  --" + name + "=").toList())
        .contains("--kvorum.rpc.port=7400\n", "default for from, 1 to 100")
        .doesNotContain("`", "=empty");
  }

  @Test
  void printsTheReleaseForScriptsAndTheOperator() {
    assertThat(CommandLine.output("--print-protocol"))
        .hasValueSatisfying(it -> assertThat(it.text()).matches("[1-9]\\d*\\.\\.[1-9]\\d*\n"));
    assertThat(CommandLine.output("--version"))
        .hasValueSatisfying(it -> assertThat(it.text()).matches("\\S+\n"));
    assertThat(CommandLine.output("--print-release=/dev/termination-log"))
        .hasValueSatisfying(it -> {
          assertThat(it.file()).isEqualTo("/dev/termination-log");
          assertThat(it.text())
              .matches(
                  "version=\\S+\nprotocols=\\d+\\.\\.\\d+\nfeatures=content-type,reverse-scan\n");
        });
  }
}
