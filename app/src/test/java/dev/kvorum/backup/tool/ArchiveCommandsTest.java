package dev.kvorum.backup.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.backup.manifest.BackupFile;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupManifest.Part;
import dev.kvorum.backup.manifest.BackupManifest.Zoned;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.Manifests;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.backup.objectstore.Credentials;
import dev.kvorum.backup.objectstore.ObjectStore;
import dev.kvorum.backup.objectstore.StoreUrl;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Commands that need no node, with backups that share a file. */
class ArchiveCommandsTest {
  private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");
  private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);

  private final Path directory;
  private final Path report;
  private final ObjectStore store;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  ArchiveCommandsTest(@TempDir Path directory) throws IOException {
    this.directory = directory.resolve("archive");
    report = directory.resolve("report");
    store = ObjectStore.open(StoreUrl.parse("file://" + this.directory), Credentials.NONE);
  }

  @AfterEach
  void end() {
    store.close();
  }

  private int run(String... command) {
    List<String> arguments = new ArrayList<>(Arrays.asList(command));
    arguments.add("--store=file://" + directory);
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine line = KvorumBackup.commandLine();
    return line.setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(String[]::new));
  }

  private JsonNode report() throws IOException {
    return JsonMapper.shared().readTree(Files.readString(report));
  }

  /** A backup that began so many days after the first. */
  private String backup(int day, String cluster, @Nullable String series) throws IOException {
    Instant began = TIME.plusSeconds(day * 86_400L);
    String id = BackupNames.newId(began, day);
    String hash = Manifests.sha256(CONTENT);
    BackupFile file = new BackupFile("1.sst", CONTENT.length, hash, hash);
    store.put(BackupNames.object(cluster, file), CONTENT);
    MemberManifest part =
        new MemberManifest(
            1, id, cluster, "m", "1", 1, true, began, began, 5, 0, 1, 7, 7, List.of(file));
    byte[] bytes = Manifests.encode(part);
    store.put(BackupNames.part(cluster, id, "m"), bytes);
    BackupManifest manifest =
        new BackupManifest(
            1,
            id,
            cluster,
            cluster,
            series,
            "0",
            1,
            3,
            List.of("ttl"),
            List.of(new Zoned("m", "")),
            began,
            began,
            5,
            0,
            List.of(1),
            7,
            7,
            List.of(new Part("m", Manifests.sha256(bytes), 7)));
    store.put(BackupNames.manifest(cluster, id), Manifests.encode(manifest));
    return id;
  }

  @Test
  void aSeriesIsPrunedAndFoundOnItsOwn() throws IOException {
    String other = backup(0, "c", null);
    String first = backup(1, "c", "daily");
    String second = backup(2, "c", "daily");
    String weekly = backup(3, "c", "weekly");
    assertThat(run("list")).isZero();
    assertThat(out.toString().lines()).hasSize(5).anyMatch(line -> line.endsWith("  7  daily"));
    assertThat(run("show", "--series=daily")).isZero();
    assertThat(out.toString()).contains(second, "\"series\" : \"daily\"");
    assertThat(run("show")).isZero();
    assertThat(out.toString()).contains(weekly);
    assertThat(run("show", "--series=hourly")).isEqualTo(3);
    assertThat(err.toString()).contains("there is no complete backup of the series hourly");
    assertThat(run("show", "--series=daily", "--id=" + weekly)).isEqualTo(3);

    String[] prune = {
      "prune", "--keep-last=1", "--series=daily", "--report=" + report, "--dry-run"
    };
    assertThat(run(prune)).isZero();
    assertThat(out.toString()).contains("Would delete backup " + first).doesNotContain(other);
    assertThat(report().toString()).contains("\"deleted\":[]", "\"kept\":2");
    assertThat(run(Arrays.copyOf(prune, 4))).isZero();
    assertThat(report().get("deleted").toString()).isEqualTo("[\"" + first + "\"]");
    assertThat(report().get("kept").asInt()).isEqualTo(1);
    assertThat(run("list")).isZero();
    assertThat(out.toString()).contains(other, second, weekly).doesNotContain(first);

    assertThat(run("prune", "--keep-last=1")).isZero();
    assertThat(out.toString()).contains(other, second).doesNotContain(weekly);
  }

  @Test
  void aPruneIsBoundedAndItsReportIsShort() throws IOException {
    List<String> ids = new ArrayList<>();
    for (int day = 0; day < PruneCommand.DELETED_MAX + 3; day++) {
      ids.add(backup(day, "c", "daily"));
    }
    store.put(BackupNames.objects("c") + "unused", CONTENT);
    String[] prune = {"prune", "--keep-last=1", "--report=" + report};
    assertThat(run(prune)).isZero();
    assertThat(out.toString()).contains("c: 2 more old backups are left");
    assertThat(Files.size(report)).isLessThan(4096);
    assertThat(report().get("deleted").valueStream().map(JsonNode::asString))
        .containsExactlyElementsOf(ids.subList(0, PruneCommand.DELETED_MAX));
    assertThat(report().get("kept").asInt()).isEqualTo(3);
    assertThat(report().get("marked").asInt()).isEqualTo(1);
    backup(0, "d", "daily");
    assertThat(run(prune)).isZero();
    assertThat(out.toString()).doesNotContain("more old backups");
    assertThat(report().get("deleted").size()).isEqualTo(2);
    assertThat(report().get("kept").asInt()).as("of both clusters").isEqualTo(2);
  }

  @Test
  void onlyAWholeBackupIsReported() throws IOException {
    String id = backup(1, "c", "daily");
    for (String level : List.of("presence", "checksums")) {
      assertThat(run("verify", "--level=" + level, "--report=" + report)).isZero();
      assertThat(report())
          .isEqualTo(
              JsonMapper.shared()
                  .readTree(
                      """
                      {"id":"%s","cluster":"c","level":"%s","replication":3,"features":["ttl"],"lacks":["ttl"],
                       "members":1,"bytes":7,"largestPart":7,"newestStamp":5,
                       "summary":"1 files, verified by %s"}
                      """
                          .formatted(id, level, level)));
      Files.delete(report);
    }
    store.put(BackupNames.objects("c") + Manifests.sha256(CONTENT), new byte[7]);
    assertThat(run("verify", "--report=" + report)).isEqualTo(3);
    assertThat(report).doesNotExist();
  }

  @Test
  void aWrongSeriesIsRejected() {
    for (String command :
        List.of("show", "verify", "prune --keep-last=1", "create --nodes=http://n")) {
      assertThat(run((command + " --series=Daily").split(" ", -1))).as(command).isEqualTo(2);
      assertThat(err.toString()).contains("--series is 'Daily'; it must have");
    }
  }
}
