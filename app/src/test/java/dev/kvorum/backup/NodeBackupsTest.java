package dev.kvorum.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.backup.BackupException.Reason;
import dev.kvorum.backup.BackupStatus.Phase;
import dev.kvorum.backup.manifest.BackupFile;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.Manifests;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.backup.manifest.VerifiedStream;
import dev.kvorum.backup.objectstore.Credentials;
import dev.kvorum.backup.objectstore.EncryptionKey;
import dev.kvorum.backup.objectstore.ObjectStore;
import dev.kvorum.backup.objectstore.StoreAccess;
import dev.kvorum.backup.objectstore.StoreUrl;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.storage.rocks.StoreFixture;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeBackupsTest {
  private static final long FREE_MIN = 1000;

  @TempDir private Path directory;

  private CheckpointFixture source;
  private StoreUrl url;
  private long free = 10 * FREE_MIN;
  private Pace pace = bytes -> {};
  private NodeBackups backups;
  private Optional<EncryptionKey> key = Optional.empty();

  @BeforeEach
  void begin() throws IOException {
    source = new CheckpointFixture(directory.resolve("store"));
    url = StoreUrl.parse(directory.resolve("archive").toUri().toString().replaceAll("/$", ""));
    backups = backups("rate-max=1MB");
    source.write("1.sst", "one");
    source.write("2.blob", "two, two");
    source.write("CURRENT", "");
  }

  @AfterEach
  void end() {
    backups.close();
  }

  private NodeBackups backups(String... settings) {
    return new NodeBackups(
        TestSettings.of(BackupSettings.class, settings),
        CheckpointFixture.MEMBER,
        source,
        directory.resolve("backup"),
        new DiskPressure(() -> free, FREE_MIN, 100),
        bytes -> pace.spend(bytes));
  }

  private static String id(int number) {
    return BackupNames.newId(Instant.EPOCH, number);
  }

  private StoreAccess access() {
    return new StoreAccess(url, Credentials.NONE, key);
  }

  private BackupOrder order(int number) {
    return new BackupOrder(id(number), 1, access());
  }

  private BackupStatus status() {
    return backups.status().orElseThrow();
  }

  private BackupStatus run(int number) {
    backups.start(order(number));
    StoreFixture.awaitUntil(() -> status().phase().isOver());
    assertThat(status().id()).isEqualTo(id(number));
    return status();
  }

  private List<String> objects(String prefix) throws IOException {
    List<String> names = new ArrayList<>();
    try (ObjectStore store = ObjectStore.open(url, Credentials.NONE)) {
      store.list(prefix, object -> names.add(object.name()));
    }
    return names;
  }

  private MemberManifest part(int number) throws IOException {
    try (ObjectStore store = access().open(Duration.ofSeconds(1))) {
      String name = BackupNames.part("kvorum", id(number), "kvorum-0");
      return Manifests.decode(MemberManifest.class, store.read(name, 1 << 20), name);
    }
  }

  @Test
  void uploadsWhatTheStoreDoesNotHave() throws IOException {
    assertThat(run(1).phase()).isEqualTo(Phase.DONE);
    assertThat(status().bytes()).isEqualTo(11);
    assertThat(status().uploadedBytes()).isEqualTo(11);
    MemberManifest first = part(1);
    assertThat(first.votes()).isTrue();
    assertThat(first.newestStamp()).isEqualTo(5);
    assertThat(first.files()).extracting("name").containsExactly("1.sst", "2.blob", "CURRENT");
    assertThat(objects("objects/")).hasSize(3);

    source.delete("1.sst");
    source.write("3.sst", "three");
    assertThat(run(2).uploadedBytes()).isEqualTo(5);
    assertThat(status().doneBytes()).isEqualTo(13);
    assertThat(part(2).files()).extracting("name").containsExactly("2.blob", "3.sst", "CURRENT");
    assertThat(backups.counts().uploadedBytes()).isEqualTo(16);
    assertThat(backups.counts().reusedBytes()).isEqualTo(8);
    assertThat(run(3).uploadedBytes()).as("nothing has changed").isZero();
    assertThat(directory.resolve("backup").toFile().listFiles(File::isDirectory))
        .as("no checkpoint is left")
        .isEmpty();
  }

  @Test
  void encryptedFilesHaveNamesThatDoNotShowTheirHash() throws IOException {
    key = Optional.of(EncryptionKey.generate());
    assertThat(run(1).uploadedBytes()).isEqualTo(11);
    assertThat(run(2).uploadedBytes()).as("equal content has one name").isZero();
    MemberManifest made = part(2);
    assertThat(objects("objects/")).hasSize(3);
    for (BackupFile file : made.files()) {
      assertThat(file.object()).isNotEqualTo(file.sha256());
      try (ObjectStore store = access().open(Duration.ofSeconds(1));
          InputStream in =
              new VerifiedStream(store.get(BackupNames.object("kvorum", file)), file)) {
        assertThat(in.readAllBytes()).hasSize((int) file.bytes());
      }
    }
    key = Optional.empty();
    assertThatThrownBy(() -> part(2)).hasMessageContaining("is damaged");
  }

  @Test
  void aFileOfTheSameNameIsReadAgain() throws IOException {
    run(1);
    source.write("1.sst", "ONE");
    Path file = directory.resolve("store/1.sst");
    Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH.plusSeconds(1)));
    assertThat(run(2).uploadedBytes()).isEqualTo(3);
    assertThat(part(2).files().getFirst().sha256())
        .isEqualTo(Manifests.sha256("ONE".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aFileThatTheDiskHasDamagedIsNotUploaded() throws IOException {
    run(1);
    Path file = directory.resolve("store/2.blob");
    FileTime time = Files.getLastModifiedTime(file);
    Files.writeString(file, "two, twO");
    Files.setLastModifiedTime(file, time);
    try (ObjectStore store = ObjectStore.open(url, Credentials.NONE)) {
      for (String name : objects("objects/")) {
        store.delete(name);
      }
    }
    assertThat(run(2).phase()).isEqualTo(Phase.FAILED);
    assertThat(status().message()).contains("2.blob is damaged");
    assertThat(backups.counts().failures(Reason.CHECKPOINT)).isEqualTo(1);
  }

  @Test
  void aMemberThatMayLackRecordsDoesNotCount() throws IOException {
    source.state = new BackupSource.State(1, true, false);
    assertThat(run(1).phase()).isEqualTo(Phase.DONE);
    assertThat(part(1).votes()).isFalse();
    source.state = new BackupSource.State(1, true, true);
    source.meanwhile = () -> source.state = new BackupSource.State(1, true, false);
    run(2);
    assertThat(part(2).votes()).as("its store was replaced meanwhile").isFalse();
  }

  @Test
  void noPartOfAnotherEpochIsMade() {
    source.state = new BackupSource.State(2, true, true);
    assertThat(run(1).phase()).isEqualTo(Phase.FAILED);
    assertThat(status().message()).contains("the epoch is 2, the backup is of 1");
    source.state = new BackupSource.State(1, false, true);
    assertThat(run(2).message()).contains("a change of the members is under way");
    source.state = new BackupSource.State(1, true, true);
    source.meanwhile = () -> source.state = new BackupSource.State(2, true, true);
    assertThat(run(3).message()).contains("the epoch is 2");
    assertThat(backups.counts().failures(Reason.NOT_READY)).isEqualTo(3);
    source.state = new BackupSource.State(1, true, true);
    source.meanwhile = () -> {};
    assertThat(run(3).phase()).as("the same order may be given again").isEqualTo(Phase.DONE);
  }

  @Test
  void isGivenUpBeforeTheDiskIsFull() throws InterruptedException, IOException {
    free = 2 * FREE_MIN - 1;
    assertThat(run(1).message()).contains("has 1999 bytes free");
    free = 2 * FREE_MIN;
    CountDownLatch reading = new CountDownLatch(1);
    pace =
        bytes -> {
          reading.countDown();
          Thread.sleep(60_000);
        };
    source.write("4.sst", "x".repeat(101));
    backups.start(order(2));
    reading.await();
    source.delete("4.sst");
    StoreFixture.awaitUntil(() -> status().phase().isOver());
    assertThat(status().message()).contains("keeps 101 bytes of deleted files");
    assertThat(backups.counts().failures(Reason.DISK_PRESSURE)).isEqualTo(2);
  }

  @Test
  void oneBackupAtATimeWhichCanBeCancelled() throws InterruptedException {
    CountDownLatch reading = new CountDownLatch(1);
    pace =
        bytes -> {
          reading.countDown();
          Thread.sleep(60_000);
        };
    backups.start(order(1));
    reading.await();
    assertThat(backups.start(order(1)).phase()).as("the same order").isEqualTo(Phase.HASH);
    assertThatThrownBy(() -> backups.start(order(2))).hasMessage("backup " + id(1) + " is running");
    assertThat(backups.cancel(id(2))).isFalse();
    assertThat(backups.cancel(id(1))).isTrue();
    StoreFixture.awaitUntil(() -> status().phase().isOver());
    assertThat(status().message()).isEqualTo("it was cancelled");
    assertThat(backups.cancel(id(1))).isFalse();
    pace = bytes -> {};
    assertThat(run(2).phase()).isEqualTo(Phase.DONE);
  }

  @Test
  void noFileIsReliedOnWhileASweepMayDeleteIt() throws IOException {
    run(1);
    try (ObjectStore store = access().open(Duration.ofSeconds(1))) {
      store.put(BackupNames.sweep("kvorum"), new byte[0]);
      source.now = Instant.now();
      backups.start(order(2));
      String intent = BackupNames.intent("kvorum", id(2), "kvorum-0");
      StoreFixture.awaitUntil(() -> Files.exists(directory.resolve("archive").resolve(intent)));
      assertThat(status().phase()).as("it waits behind its intent").isEqualTo(Phase.HASH);
      for (String object : objects("objects/")) {
        store.delete(object);
      }
      store.delete(BackupNames.sweep("kvorum"));
      StoreFixture.awaitUntil(() -> status().phase().isOver());
      assertThat(objects("objects/")).hasSize(3);

      store.put(BackupNames.sweep("kvorum"), new byte[0]);
      source.now = Instant.now().plus(BackupNames.SWEEP_MAX);
      assertThat(run(3).phase()).as("one that was interrupted").isEqualTo(Phase.DONE);
    }
  }

  @Test
  void leftoversOfACrashAreDeleted() throws IOException {
    Path left = Files.createDirectories(directory.resolve("backup").resolve(id(9)));
    Files.writeString(left.resolve("1.sst"), "one");
    backups.close();
    backups = backups();
    assertThat(left).doesNotExist();
  }

  @Test
  void ordersAreChecked() {
    assertThatThrownBy(() -> backups.start(new BackupOrder("x", 1, access())))
        .hasMessageContaining("'x' is not the id of a backup");
    NodeBackups narrow = backups("stores=s3://b/p,file:///srv/b?x");
    assertThatThrownBy(() -> narrow.start(order(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not permitted");
    narrow.close();
  }
}
