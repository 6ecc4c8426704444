package dev.kvorum.backup.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.backup.manifest.BackupFile;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupManifest.Part;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.Manifests;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.backup.objectstore.Credentials;
import dev.kvorum.backup.objectstore.ObjectStore;
import dev.kvorum.backup.objectstore.StoreUrl;
import dev.kvorum.backup.objectstore.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectorTest {
  private static final String CLUSTER = "kvorum";
  private static final Instant TIME = Instant.EPOCH;

  private final ObjectStore store;
  private Duration passed = Duration.ZERO;

  CollectorTest(@TempDir Path directory) throws IOException {
    store = ObjectStore.open(StoreUrl.parse("file://" + directory), Credentials.NONE);
  }

  @AfterEach
  void end() {
    store.close();
  }

  private Collector collector() {
    return new Collector(store, CLUSTER, () -> Instant.now().plus(passed));
  }

  private Collector.Report collect() throws IOException {
    return collector().collect().orElseThrow();
  }

  private static String id(int number) {
    return BackupNames.newId(TIME, number);
  }

  private static MemberManifest part(int number, String... objects) {
    List<BackupFile> files =
        Stream.of(objects).map(name -> new BackupFile(name, 1, name, name)).toList();
    return new MemberManifest(
        1, id(number), CLUSTER, "m", "1", 1, true, TIME, TIME, 0, 0, 1, 1, 1, files);
  }

  private void intent(int number, String... objects) throws IOException {
    for (String name : objects) {
      store.put(BackupNames.objects(CLUSTER) + name, new byte[1]);
    }
    store.put(
        BackupNames.intent(CLUSTER, id(number), "m"), Manifests.encode(part(number, objects)));
  }

  private BackupManifest backup(int number, String... objects) throws IOException {
    intent(number, objects);
    byte[] bytes = Manifests.encode(part(number, objects));
    store.put(BackupNames.part(CLUSTER, id(number), "m"), bytes);
    BackupManifest manifest =
        new BackupManifest(
            1,
            id(number),
            CLUSTER,
            CLUSTER,
            null,
            "0",
            1,
            1,
            List.of(),
            List.of(),
            TIME,
            TIME,
            0,
            0,
            List.of(1),
            1,
            1,
            List.of(new Part("m", Manifests.sha256(bytes), 1)));
    store.put(BackupNames.manifest(CLUSTER, id(number)), Manifests.encode(manifest));
    return manifest;
  }

  private List<String> objects() throws IOException {
    List<String> names = new ArrayList<>();
    String prefix = BackupNames.objects(CLUSTER);
    store.list(prefix, object -> names.add(object.name().substring(prefix.length())));
    return names;
  }

  @Test
  void filesGoADayAfterNoBackupHasThem() throws IOException {
    BackupManifest old = backup(1, "a", "b");
    backup(2, "b", "c");
    assertThat(collect()).isEqualTo(new Collector.Report(0, 0));
    collector().drop(old);
    assertThat(new Archive(store).list()).hasSize(1);
    assertThat(collect()).isEqualTo(new Collector.Report(1, 0));
    passed = Collector.GRACE.minusMinutes(1);
    assertThat(collect()).isEqualTo(new Collector.Report(0, 0));
    assertThat(objects()).containsExactly("a", "b", "c");
    passed = Collector.GRACE.plusMinutes(1);
    assertThat(collect()).isEqualTo(new Collector.Report(0, 1));
    assertThat(objects()).containsExactly("b", "c");
  }

  @Test
  void aRunningBackupKeepsWhatItsIntentNames() throws IOException {
    collector().drop(backup(1, "a", "b"));
    assertThat(collect().marked()).isEqualTo(2);
    intent(2, "b");
    passed = Collector.GRACE.plusMinutes(1);
    assertThat(collect().deleted()).isEqualTo(1);
    assertThat(objects()).containsExactly("b");
    passed = Collector.ABANDONED.plusMinutes(1);
    assertThat(collect()).as("given up").isEqualTo(new Collector.Report(1, 0));
    passed = passed.plus(Collector.GRACE).plusMinutes(1);
    assertThat(collect().deleted()).isEqualTo(1);
    assertThat(objects()).isEmpty();
  }

  @Test
  void oneSweepAtATime() throws IOException {
    store.put(BackupNames.sweep(CLUSTER), new byte[0]);
    assertThat(collector().collect()).isEmpty();
    passed = BackupNames.SWEEP_MAX.plusMinutes(1);
    assertThat(collect()).as("that one was interrupted").isNotNull();
  }

  @Test
  void aBackupThatAnotherPruneDeletesMeanwhileNamesNothing() throws IOException {
    BackupManifest old = backup(1, "a");
    backup(2, "b");
    ObjectStore pruned = new PrunedStore(() -> collector().drop(old));
    Collector.Report found = new Collector(pruned, CLUSTER, Instant::now).collect().orElseThrow();
    assertThat(found.marked()).isEqualTo(1);
  }

  /** A deletion in the store. */
  private interface Deletion {
    void run() throws IOException;
  }

  /** The same store, from which something is deleted just before the first read. */
  private final class PrunedStore implements ObjectStore {
    private final Deletion deletion;
    private boolean isDeleted;

    PrunedStore(Deletion deletion) {
      this.deletion = deletion;
    }

    @Override
    public void put(String name, long length, Content content) throws IOException {
      store.put(name, length, content);
    }

    @Override
    public InputStream get(String name) throws IOException {
      if (!isDeleted) {
        isDeleted = true;
        deletion.run();
      }
      return store.get(name);
    }

    @Override
    public void list(String prefix, Consumer<StoredObject> each) throws IOException {
      store.list(prefix, each);
    }

    @Override
    public boolean delete(String name) throws IOException {
      return store.delete(name);
    }

    @Override
    public void close() {
      store.close();
    }
  }

  @Test
  void anUnreadableManifestStopsIt() throws IOException {
    backup(1, "a");
    store.put(BackupNames.part(CLUSTER, id(1), "m"), new byte[1]);
    assertThatThrownBy(this::collect).hasMessageContaining("is damaged");
    assertThat(objects()).containsExactly("a");
  }
}
