package dev.kvorum.operator.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the sources look like; the same rules as the node's. */
class HouseRulesTest {
  private static final int LINES_MAX = 300;
  private static final Set<String> GRAB_BAGS =
      Set.of("common", "util", "utils", "impl", "service", "manager", "helper");
  private static final Path MAIN = Path.of("src/main/java");
  private static final Path TEST = Path.of("src/test/java");

  private static List<Path> sources(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      List<Path> found = all.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(found).as("sources below %s", root).hasSizeGreaterThan(10);
      return found;
    }
  }

  @Test
  void noFileIsOverThreeHundredLinesAndNothingIsAGrabBag() throws IOException {
    for (Path root : List.of(MAIN, TEST)) {
      for (Path file : sources(root)) {
        assertThat(Files.readAllLines(file))
            .as(file.toString())
            .hasSizeLessThanOrEqualTo(LINES_MAX);
        assertThat(file.getFileName().toString())
            .doesNotMatch(".*(Common|Utils?|Impl|Service|Manager|Helper)\\.java");
        for (Path part : file.getParent()) {
          assertThat(GRAB_BAGS).as(file.toString()).doesNotContain(part.toString());
        }
      }
    }
  }

  @Test
  void halfOfTheFilesAreUnderAHundredLines() throws IOException {
    List<Path> all = sources(MAIN);
    long small = 0;
    for (Path file : all) {
      small += Files.readAllLines(file).size() < 100 ? 1 : 0;
    }
    assertThat(2 * small).isGreaterThan(all.size());
  }

  @Test
  void everyPackageDescribesItselfAndItsImports() throws IOException {
    for (Path file : sources(MAIN)) {
      assertThat(Files.readString(file.resolveSibling("package-info.java")))
          .startsWith("/**")
          .contains("@NullMarked")
          .contains("Imports ");
    }
  }
}
