package dev.kvorum.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * The last sentence of each package-info, the verifier's as well, against the imports in its
 * package.
 */
class PackageInfoTest {
  private static final Path NODE = Path.of("src/main/java/dev/kvorum");
  private static final List<Path> ROOTS =
      List.of(
          NODE,
          Path.of("../cli").resolve(NODE),
          Path.of("../placement").resolve(NODE),
          Path.of("../loadtest/verifier").resolve(NODE));
  private static final Pattern LISTED = Pattern.compile("\\{@code\\s+(?:\\*\\s+)?([a-z.]+)}");
  private static final Pattern IMPORTED =
      Pattern.compile(
          "^import (?:static )?dev\\.kvorum\\.((?:[a-z]\\w*\\.)*)[A-Z]", Pattern.MULTILINE);

  @Test
  void everyPackageInfoListsWhatItsPackageImports() throws IOException {
    SoftAssertions softly = new SoftAssertions();
    for (Path root : ROOTS) {
      for (Path directory : packages(root)) {
        softly
            .assertThat(listed(directory))
            .as(directory.toString())
            .containsExactlyInAnyOrderElementsOf(imported(root, directory));
      }
    }
    softly.assertAll();
  }

  private static List<Path> packages(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      List<Path> found =
          all.filter(path -> path.endsWith("package-info.java")).map(Path::getParent).toList();
      assertThat(found).as("packages below %s", root).isNotEmpty();
      return found;
    }
  }

  private static List<String> listed(Path directory) throws IOException {
    String info = Files.readString(directory.resolve("package-info.java"));
    return LISTED
        .matcher(info.substring(info.lastIndexOf("Imports "), info.indexOf("*/")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static Set<String> imported(Path root, Path directory) throws IOException {
    Set<String> imported = new TreeSet<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        IMPORTED
            .matcher(Files.readString(file))
            .results()
            .map(found -> found.group(1).replaceAll("\\.$", ""))
            .forEach(imported::add);
      }
    }
    imported.remove(root.relativize(directory).toString().replace('/', '.'));
    return imported;
  }
}
