package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryBudgetTest {
  private static final long MIB = 1 << 20;

  @ParameterizedTest
  @ValueSource(longs = {512, 513, 600, 768, 1024, 2000, 4096, 8192, 65_536, 524_288})
  void allPartsAndTheJvmFitIntoTheLimitWithSlack(long limitMib) {
    MemoryBudget budget = MemoryBudget.of(limitMib * MIB);
    long jvm = 170 * MIB;
    assertThat(budget.heapBytes() + budget.directBytes() + budget.storeBytes() + jvm)
        .isLessThanOrEqualTo(limitMib * MIB * 88 / 100);
    assertThat(budget.heapBytes()).isLessThanOrEqualTo(limitMib * MIB * 35 / 100);
    assertThat(budget.heapBytes()).isGreaterThanOrEqualTo(128 * MIB);
    assertThat(budget.storeBytes())
        .as("a node takes no less than 8 MiB")
        .isGreaterThanOrEqualTo(32 * MIB);
    assertThat(budget.slackBytes()).isGreaterThanOrEqualTo(64 * MIB);
  }

  @Test
  void theDefaultLimitIsDividedLikeThis() {
    MemoryBudget budget = MemoryBudget.of(768 * MIB);
    assertThat(budget).isEqualTo(new MemoryBudget(256 * MIB, 64 * MIB, 165 * MIB, 107 * MIB));
    assertThat(budget.storeSetting()).isEqualTo("165MB");
    assertThat(budget.javaOptions(2)).contains("-Xmx256m", "-XX:MaxDirectMemorySize=64m");
  }

  /**
   * The image has the script's flags behind those that a pod is given, and the last of two wins:
   * only what its Dockerfile sets apart can be another one on a pod.
   */
  @Test
  void noFlagIsOverruledByTheScriptThatTheImageIsMadeFrom() throws IOException {
    String script = Files.readString(Path.of("../app/bin/kvorum-node"));
    Pattern ofPods =
        Pattern.compile(
            first("grep -E '([^']+)' all\\.args >memory\\.args", Path.of("../app/Dockerfile")));
    List<String> ofScript =
        Pattern.compile("(?<=[ \"])-X[^ \"]+")
            .matcher(script.replaceAll("(?m)^ *#.*$", ""))
            .results()
            .map(it -> it.group())
            .toList();
    assertThat(ofScript).as("kvorum-node's flags").hasSizeGreaterThan(5);
    List<String> ofOperator = List.of(MemoryBudget.of(768 * MIB).javaOptions(2).split(" "));
    assertThat(ofOperator).anyMatch(flag -> ofPods.matcher(flag).find());
    for (String flag : ofOperator) {
      String name = name(flag);
      if (!ofPods.matcher(flag).find() && ofScript.stream().anyMatch(it -> name(it).equals(name))) {
        assertThat(ofScript).as("kvorum-node says otherwise").contains(flag);
      }
    }
  }

  private static String first(String expression, Path file) throws IOException {
    Matcher found = Pattern.compile(expression).matcher(Files.readString(file));
    assertThat(found.find()).as("%s in %s", expression, file).isTrue();
    return found.group(1);
  }

  /** What two flags share of which the last one wins. */
  private static String name(String flag) {
    return flag.replaceFirst("^(-XX:)[+-]", "$1").replaceFirst("=.*|(?<=^-Xm[sx]).*", "");
  }

  @Test
  void lessThanANodeNeedsIsRejected() {
    assertThatIllegalArgumentException().isThrownBy(() -> MemoryBudget.of(512 * MIB - 1));
  }
}
