package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Where a node loads RocksDB's library from. */
@ExtendWith(PrintsNodeLogs.class)
class NativeLibraryIT {
  private static final Path UNPACKED = Path.of("..", "app", "target", "node", "native");

  @TempDir private Path directory;
  @TempDir private Path temporary;

  @Test
  void aKilledNodeLeavesNoNativeLibraryInTheTemporaryDirectory() throws IOException {
    // On a platform that the build unpacks no library for, each node unpacks its own.
    assumeThat(UNPACKED).isNotEmptyDirectory();
    Place place =
        new Place("127.0.0.1", List.of("env", "JDK_JAVA_OPTIONS=-Djava.io.tmpdir=" + temporary));
    try (NodeProcess node =
        new NodeProcess("killed", place, directory, Ports.free(), Map.of()).launch()) {
      node.awaitReady();
      assertThat(node.client().put("key", "value").statusCode()).isEqualTo(201);
      node.kill();
    }
    assertThat(names(temporary)).noneMatch(name -> name.startsWith("librocksdbjni"));
  }

  @Test
  void aNodeWithoutTheLibraryNamesThePlacesForIt() {
    Place place =
        new Place(
            "127.0.0.1",
            List.of(
                "env",
                "KVORUM_JAVA_OPTS=-Djava.library.path=/nowhere -Djava.io.tmpdir=/nowhere-else"));
    try (NodeProcess node =
        new NodeProcess("without", place, directory, Ports.free(), Map.of()).launch()) {
      assertThat(node.awaitExit(NodeProcess.STARTUP_MAX)).isNotZero();
      assertThat(node.log())
          .contains("RocksDB's native library cannot be loaded", "/nowhere)", "/nowhere-else)")
          .doesNotContain("at dev.kvorum");
    }
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
