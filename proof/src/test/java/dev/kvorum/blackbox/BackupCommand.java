package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.backup.objectstore.Credentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code app/bin/kvorum-backup} with one object store. */
final class BackupCommand {
  private static final String COMMAND = Path.of("../app/bin/kvorum-backup").toString();

  private final String store;
  private final Path directory;
  private final List<String> options = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private int runs;

  record Result(int code, String out, String err) {}

  /**
   * Commands for a store.
   *
   * @param directory directory for the output of the commands
   */
  BackupCommand(String store, Path directory) {
    this.store = store;
    this.directory = directory;
  }

  /** From now on all commands have this option. */
  void with(String option) {
    options.add(option);
  }

  /** From now on all commands have these credentials in their environment. */
  void with(Credentials credentials) {
    environment.put("AWS_ACCESS_KEY_ID", credentials.accessKeyId());
    environment.put("AWS_SECRET_ACCESS_KEY", credentials.secretAccessKey());
  }

  /** The option for all nodes of a cluster. */
  static String nodes(Cluster cluster) {
    return cluster.nodes().stream()
        .map(node -> "http://localhost:" + node.management().port())
        .collect(Collectors.joining(",", "--nodes=", ""));
  }

  /** The option for the cluster that was backed up. */
  static String source(Cluster cluster) {
    return "--url=" + url(cluster);
  }

  private static String url(Cluster cluster) {
    return "http://localhost:" + cluster.node(0).httpPort();
  }

  /** A cluster for a restore. */
  Cluster target(String name, int size) throws IOException {
    return new Cluster(
        Files.createDirectory(directory.resolve(name)),
        Collections.nCopies(size, Place.LOCALHOST),
        Map.of());
  }

  /** Compares a cluster that does not change with one into which its backup was restored. */
  Result compare(Cluster cluster, Cluster restored) throws IOException, InterruptedException {
    return run("compare", "--restored=" + url(restored), "--settled=PT0S", source(cluster));
  }

  /** Starts a command; its output goes to files. */
  Running start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(COMMAND));
    command.add(arguments[0]);
    command.add("--store=" + store);
    command.addAll(options);
    command.addAll(List.of(arguments).subList(1, arguments.length));
    Path out = directory.resolve("out-" + runs);
    Path err = directory.resolve("err-" + runs);
    runs++;
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(environment);
    return new Running(builder.start(), out, err);
  }

  /** Writes a key to a file; returns the exit code. */
  static int keygen(Path file) throws IOException, InterruptedException {
    return new ProcessBuilder(COMMAND, "keygen", file.toString()).inheritIO().start().waitFor();
  }

  Result run(String... arguments) throws IOException, InterruptedException {
    return start(arguments).await();
  }

  /** A command that runs. */
  record Running(Process process, Path out, Path err) {
    Result await() throws IOException, InterruptedException {
      try {
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("the command ends").isTrue();
        return new Result(process.exitValue(), read(out), read(err));
      } finally {
        process.destroyForcibly();
      }
    }

    private static String read(Path file) throws IOException {
      return Files.readString(file, StandardCharsets.UTF_8);
    }
  }

  /** Makes a backup, which must be complete; returns its id. */
  String create(Cluster cluster) throws IOException, InterruptedException {
    Result created = run("create", nodes(cluster));
    assertThat(created.err()).isEmpty();
    assertThat(created.code()).isZero();
    assertThat(created.out()).startsWith("Backup ");
    return created.out().split(" ", -1)[1];
  }

  /** The values of a backup, by key. */
  Map<String, String> extract(String id, String prefix) throws IOException, InterruptedException {
    Result extracted = run("extract", "--id=" + id, "--prefix=" + prefix);
    assertThat(extracted.err()).isEmpty();
    assertThat(extracted.code()).isZero();
    Map<String, String> values = new TreeMap<>();
    for (String line : extracted.out().lines().toList()) {
      JsonNode record = JsonMapper.shared().readTree(line);
      values.put(
          record.get("key").asString(),
          new String(record.get("value").binaryValue(), StandardCharsets.UTF_8));
    }
    return values;
  }
}
