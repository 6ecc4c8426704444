package dev.kvorum.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the sources of all modules look like. */
class HouseRulesTest {
  private static final int LINES_MAX = 300;
  private static final Set<String> GRAB_BAGS =
      Set.of("common", "util", "utils", "impl", "service", "manager", "helper");
  private static final Pattern GRAB_BAG_SUFFIX =
      Pattern.compile(".*(Common|Utils?|Impl|Service|Manager|Helper)\\.java");

  private static final String PERIODIC = ".scheduleWithFixedDelay(";
  // What another task of the loop throws, Netty logs.
  private static final Pattern APART =
      Pattern.compile(Pattern.quote(PERIODIC) + "\\s*\\(\\) -> loop\\.execute\\(");

  private static List<Path> sources(String module, String kind) throws IOException {
    Path root = Modules.ROOT.resolve(module).resolve(Path.of("src", kind, "java"));
    try (Stream<Path> all = Files.walk(root)) {
      List<Path> found = all.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(found).as("sources below %s", root).isNotEmpty();
      return found;
    }
  }

  /** What is not for tests. */
  private static List<Path> product() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String module : Modules.with("src/main/java")) {
      found.addAll(sources(module, "main"));
    }
    return found;
  }

  private static List<Path> allSources() throws IOException {
    List<Path> found = product();
    for (String module : Modules.with("src/test/java")) {
      found.addAll(sources(module, "test"));
    }
    return found;
  }

  /** A periodic task that throws is not run again, and nobody learns of it. */
  @Test
  void periodicTasksSurviveWhatTheyThrow() throws IOException {
    int files = 0;
    for (Path file : sources("app", "main")) {
      String text = Files.readString(file);
      if (text.contains(PERIODIC)) {
        files++;
        boolean catches = text.contains("catch (RuntimeException | Error e)");
        assertThat(catches || APART.matcher(text).find()).as(file.toString()).isTrue();
      }
    }
    assertThat(files).as("files with periodic tasks").isGreaterThan(4);
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
    for (Path file : product()) {
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
  void everyPackageDescribesItselfAndItsImportsAndIsNullMarked() throws IOException {
    for (Path file : product()) {
      Path info = file.resolveSibling("package-info.java");
      assertThat(info).exists();
      assertThat(Files.readString(info))
          .startsWith("/**")
          .contains("@NullMarked")
          .contains("Imports ");
    }
  }
}
