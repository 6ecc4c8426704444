package dev.kvorum.storage.salvage;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.applying;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.rocks.StoreFiles;
import dev.kvorum.storage.rocks.StoreFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Parts of the blob files of a set-aside store are freed while the rest is still to be read. */
@EnabledOnOs(OS.LINUX)
class SalvagedBlobsTest {
  private static final int RECORDS = 2000;
  private static final int VALUE_BYTES = 4000;

  private final long seed = Seeds.seed();
  private final Random random = new Random(seed);
  private final Set<Key> found = new TreeSet<>();
  private @TempDir Path parent;

  private static Key key(int i) {
    return Key.of("k%04d".formatted(i));
  }

  /** Several files that each hold keys of the whole range. */
  private SetAsideFixture fill() {
    SetAsideFixture aside = new SetAsideFixture(parent);
    List<Integer> order = new ArrayList<>(IntStream.range(0, RECORDS).boxed().toList());
    Collections.shuffle(order, random);
    try (RecordStore store = StoreFixture.open(aside.with("blob-min=1000", "blob-file=1MB"))) {
      order.stream()
          .map(i -> {
            byte[] value = new byte[VALUE_BYTES];
            random.nextBytes(value);
            Version version = new Version(1 + i, 1);
            return applying(
                store, new Mutation(key(i), Versioned.live(version, Versioned.NEVER, 3, value)));
          })
          .toList()
          .forEach(stored -> assertThat(await(stored)).isEqualTo(STORED));
      store.flush();
    }
    assertThat(StoreFiles.like(aside.directory(), "", ".blob")).hasSizeGreaterThan(3);
    return aside;
  }

  private void readUpTo(CorruptedStores stores, int records) {
    boolean isLast = false;
    while (!isLast && found.size() < records) {
      Salvaged.Page page = (Salvaged.Page) SetAsideFixture.next(stores);
      page.records().forEach(record -> found.add(record.mutation().key()));
      isLast = page.isLast();
    }
  }

  private static long usedBytes(Path directory) throws IOException {
    Process du = new ProcessBuilder("du", "-s", "-B1", directory.toString()).start();
    String output = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return Long.parseLong(output.substring(0, output.indexOf('\t')));
  }

  @Test
  void freesTheSpaceOfRecordsThatAreStoredAgain() throws IOException {
    SetAsideFixture aside = fill();
    long before = usedBytes(aside.directory());
    try (CorruptedStores stores = aside.stores()) {
      stores.begin();
      readUpTo(stores, RECORDS / 2);
      // What was returned last is stored once the next page is asked for.
      readUpTo(stores, found.size() + 1);
      SetAsideFixture.makeRoom(stores, false, false);
      long half = usedBytes(aside.directory());
      assertThat(half).as("seed %d", seed).isLessThan(before - RECORDS * 2 / 5 * VALUE_BYTES);
      readUpTo(stores, RECORDS * 3 / 4);
      readUpTo(stores, found.size() + 1);
      SetAsideFixture.makeRoom(stores, false, false);
      assertThat(usedBytes(aside.directory()))
          .as("seed %d", seed)
          .isLessThan(half - RECORDS / 5 * VALUE_BYTES);
    }
    Set<Key> first = new TreeSet<>(found);
    found.clear();
    // A new process finds the rest, also behind what was freed, when tables cannot be read.
    for (Path table : StoreFiles.tables(aside.directory())) {
      StoreFiles.flip(table, table.toFile().length() / 3);
    }
    try (CorruptedStores stores = aside.stores()) {
      stores.begin();
      readUpTo(stores, RECORDS);
    }
    first.addAll(found);
    assertThat(first).as("seed %d", seed).hasSize(RECORDS);
    assertThat(found).doesNotContain(key(0)).contains(key(RECORDS - 1));
  }
}
