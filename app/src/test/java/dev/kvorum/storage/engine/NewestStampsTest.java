package dev.kvorum.storage.engine;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.open;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewestStampsTest {
  private static final long SECOND = 1000L << 16;

  private @TempDir Path directory;

  @Test
  void anOlderStampNeverReplacesANewerOneWhenTheStoreIsOpenedAgain() {
    long newer = 100 * SECOND;
    try (RecordStore store = open(directory)) {
      assertThat(apply(store, put("k", newer, "new"))).isEqualTo(STORED);
      assertThat(apply(store, put("other", newer + 60 * SECOND, "new"))).isEqualTo(STORED);
      assertThat(apply(store, put("last", newer, "new"))).isEqualTo(STORED);
      assertThat(store.newestStamp()).isEqualTo(newer + 60 * SECOND);
    }
    try (RecordStore store = open(directory)) {
      assertThat(store.newestStamp()).isEqualTo(newer + 70 * SECOND);
      assertThat(apply(store, put("k", newer - 1, "old")))
          .isEqualTo(new WriteResult.Superseded(new Version(newer, 1)));
      assertThat(read(store, "k")).isEqualTo(new ReadResult.Found(live(newer, "new")));
    }
  }

  @Test
  void aNewerStampBelowTheCeilingReplacesAfterAReadBeforeTheWrite() {
    try (RecordStore store = open(directory)) {
      apply(store, put("k", 100 * SECOND, "first"));
    }
    try (RecordStore store = open(directory)) {
      assertThat(apply(store, put("k", 100 * SECOND + 1, "second"))).isEqualTo(STORED);
      assertThat(read(store, "k"))
          .isEqualTo(new ReadResult.Found(live(100 * SECOND + 1, "second")));
    }
  }

  @Test
  void theSameStampOfAnotherWriterIsComparedByWriter() {
    Mutation one = new Mutation(Key.of("k"), live(SECOND, "by one"));
    try (RecordStore store = open(directory)) {
      apply(store, one);

      assertThat(apply(store, one.restamped(new Version(SECOND, 0))))
          .isEqualTo(new WriteResult.Superseded(new Version(SECOND, 1)));
      assertThat(apply(store, one.restamped(new Version(SECOND, 2)))).isEqualTo(STORED);
    }
  }
}
