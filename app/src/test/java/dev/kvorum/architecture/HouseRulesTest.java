package dev.kvorum.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the sources look like, the verifier's and the container tests' as well. */
class HouseRulesTest {
  private static final int LINES_MAX = 300;
  private static final Set<String> GRAB_BAGS =
      Set.of("common", "util", "utils", "impl", "service", "manager", "helper");
  private static final Pattern GRAB_BAG_SUFFIX =
      Pattern.compile(".*(Common|Utils?|Impl|Service|Manager|Helper)\\.java");
  private static final Path MAIN = Path.of("src/main/java");
  private static final Path TEST = Path.of("src/test/java");
  private static final Path VERIFIER = Path.of("..", "loadtest", "verifier");
  private static final Path CONTAINERS = Path.of("..", "k8s", "containers");

  private static List<Path> sources(Path root) throws IOException {
    return Stream.of(sources(root, 20), sources(VERIFIER.resolve(root), 4))
        .flatMap(List::stream)
        .toList();
  }

  private static List<Path> sources(Path root, int least) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      List<Path> found = all.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(found).as("sources below %s", root).hasSizeGreaterThan(least);
      return found;
    }
  }

  private static List<Path> allSources() throws IOException {
    return Stream.of(sources(MAIN), sources(TEST), sources(CONTAINERS.resolve(TEST), 4))
        .flatMap(List::stream)
        .toList();
  }

  @Test
  void noFileIsOverThreeHundredLines() throws IOException {
    for (Path file : allSources()) {
      assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThanOrEqualTo(LINES_MAX);
    }
  }

  @Test
  void halfOfTheFilesAreUnderAHundredLines() throws IOException {
    long all = 0;
    long small = 0;
    for (Path file : sources(MAIN)) {
      all++;
      small += Files.readAllLines(file).size() < 100 ? 1 : 0;
    }
    assertThat(2 * small).as("files under 100 lines of %d", all).isGreaterThan(all);
  }

  @Test
  void nothingIsAGrabBag() throws IOException {
    for (Path file : allSources()) {
      assertThat(file.getFileName().toString()).doesNotMatch(GRAB_BAG_SUFFIX);
      for (Path part : file.getParent()) {
        assertThat(GRAB_BAGS).as(file.toString()).doesNotContain(part.toString());
      }
    }
  }

  @Test
  void everyPackageDescribesItselfAndIsNullMarked() throws IOException {
    for (Path file : sources(MAIN)) {
      Path info = file.resolveSibling("package-info.java");
      assertThat(info).exists();
      assertThat(Files.readString(info)).startsWith("/**").contains("@NullMarked");
    }
  }

  @Test
  void everyPackageListsItsImports() throws IOException {
    for (Path file : sources(MAIN)) {
      if (file.endsWith("package-info.java")) {
        assertThat(Files.readString(file)).as(file.toString()).contains("Imports ");
      }
    }
  }
}
