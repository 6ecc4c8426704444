package dev.kvorum.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The modules of the project, from its pom.xml. */
final class Modules {
  static final Path ROOT = Path.of("..");
  private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");

  private Modules() {}

  /** Directories of the modules that have this one, such as {@code src/test/java}. */
  static List<String> with(String directory) throws IOException {
    List<String> all =
        MODULE
            .matcher(Files.readString(ROOT.resolve("pom.xml")))
            .results()
            .map(found -> found.group(1))
            .filter(module -> Files.isDirectory(ROOT.resolve(module).resolve(directory)))
            .toList();
    assertThat(all).as("modules with %s", directory).hasSizeGreaterThan(4);
    return all;
  }
}
