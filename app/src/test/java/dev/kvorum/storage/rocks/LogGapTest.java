package dev.kvorum.storage.rocks;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.open;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.salvage.SetAsideFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manifest that lost its end, beside logs that began after the lost part. */
class LogGapTest {
  private static final int RECORDS = 4;

  private @TempDir Path parent;

  private static String key(int i) {
    return "k%d".formatted(i);
  }

  private static Versioned record(int i) {
    return live(1 + i, "value " + i);
  }

  private static Path manifest(Path directory) {
    return StoreFiles.like(directory, "MANIFEST", "").getLast();
  }

  /** Each record but the last in a table of its own; the last one in the log. */
  private void fill(Path image) throws IOException {
    Path alive = parent.resolve("alive");
    try (RecordStore store = open(alive)) {
      for (int i = 0; i < RECORDS; i++) {
        apply(store, put(key(i), 1 + i, "value " + i));
        // Two families in each flush: their changes of the manifest count together.
        CompletableFuture<WriteResult> marked = new CompletableFuture<>();
        store.marks().keepMark("mark", 1 + i, StoreFixture.INLINE, marked::complete);
        assertThat(await(marked)).isEqualTo(STORED);
        if (i < RECORDS - 1) {
          store.flush();
        }
      }
      StoreFiles.copy(alive, image);
    }
  }

  private static void assertHasAll(RecordStore store, long end) {
    for (int i = 0; i < RECORDS; i++) {
      assertThat(read(store, key(i)))
          .as("%s, cut at %d", key(i), end)
          .isEqualTo(new ReadResult.Found(record(i)));
    }
  }

  /** Tables that the rest of the manifest does not name are read too. */
  private static void assertSalvagesAll(SetAsideFixture aside, long end) {
    aside.salvage();
    for (int i = 0; i < RECORDS; i++) {
      assertThat(aside.readable.get(Key.of(key(i))))
          .as("%s, cut at %d", key(i), end)
          .extracting(found -> found.mutation().record())
          .isEqualTo(record(i));
    }
    assertThat(aside.unreadable).contains(KeyRange.ALL);
  }

  @Test
  void isReportedWhereverTheManifestEnds() throws IOException {
    Path image = parent.resolve("image");
    fill(image);
    int reported = 0;
    for (long end = Files.size(manifest(image)); end > 0; end -= 7) {
      SetAsideFixture aside = new SetAsideFixture(parent);
      Path damaged = aside.directory();
      StoreFiles.copy(image, damaged);
      LogFragments.cut(manifest(damaged), end);
      try (RecordStore store = open(damaged)) {
        assertHasAll(store, end);
      } catch (StoreOpenException e) {
        assertThat(e.isCorruption()).as(e.getMessage()).isTrue();
        assertSalvagesAll(aside, end);
        reported++;
      }
      StoreFiles.delete(damaged);
    }
    assertThat(reported).isGreaterThan(50);
  }
}
