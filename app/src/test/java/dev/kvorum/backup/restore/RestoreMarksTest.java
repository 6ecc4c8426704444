package dev.kvorum.backup.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.rocks.StoreFixture;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class RestoreMarksTest {
  private static final String ID = "20261128T181239Z-0a1b2c3d";
  private static final String OTHER = "20261128T181239Z-0a1b2c3e";

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init") // opened before each test
  private RecordStore store;

  @SuppressWarnings("NullAway.Init") // opened before each test
  private RestoreMarks marks;

  @BeforeEach
  void open() {
    store = StoreFixture.open(directory.resolve("store"));
    marks = new RestoreMarks(store, store.hints(), store.marks());
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void reopen() {
    close();
    open();
  }

  private boolean isRestoring() {
    return store.marks().mark(MarkStore.RESTORING) != 0;
  }

  @Test
  void anOrderPreparesAnEmptyNodeUntilItIsWithdrawn() throws IOException {
    marks.withdraw();
    marks.order(ID);
    assertThat(marks.current()).isEqualTo(ID);
    reopen();
    assertThat(isRestoring()).as("after a restart").isTrue();
    marks.order(ID);
    marks.order(OTHER);
    assertThat(marks.current()).as("not replaced").isEqualTo(ID);
    marks.withdraw();
    assertThat(isRestoring()).isFalse();
    assertThat(marks.finished()).as("nothing was restored").isEmpty();
  }

  @Test
  void anOrderOfWhatWasFinishedIsCarriedOutNoMore() throws IOException {
    marks.order(ID);
    marks.finish();
    reopen();
    assertThat(marks.finished()).isEqualTo(ID);
    marks.order(ID);
    assertThat(isRestoring()).as("though the node is empty").isFalse();
    marks.order(OTHER);
    assertThat(marks.current()).isEqualTo(OTHER);
    assertThat(marks.finished()).isEqualTo(ID);
  }

  @Test
  void anOrderToANodeWithRecordsIsIgnored(CapturedOutput output) throws IOException {
    StoreFixture.apply(store, StoreFixture.put("k", 1, "value"));
    marks.order(ID);
    assertThat(output)
        .contains("Ignored kvorum.dev/restore: " + ID + ", since this node has records");
    assertThat(isRestoring()).isFalse();
    assertThatThrownBy(() -> marks.prepare(ID)).hasMessageContaining("needs an empty cluster");
  }

  @Test
  void whatACommandHasPreparedOrTakenOverIsNotWithdrawn() throws IOException {
    marks.prepare(ID);
    marks.withdraw();
    assertThat(marks.current()).as("prepared by a command").isEqualTo(ID);
    marks.order(ID);
    marks.withdraw();
    assertThat(marks.current()).as("ordered later").isEqualTo(ID);
    marks.end();

    marks.order(ID);
    marks.prepare(ID);
    StoreFixture.apply(store, StoreFixture.put("k", 1, "restored"));
    marks.prepare(ID);
    marks.withdraw();
    assertThat(marks.current()).as("ordered before").isEqualTo(ID);
    assertThatThrownBy(() -> marks.prepare(OTHER))
        .hasMessage("backup " + ID + " is being restored");
    marks.finish();
    assertThat(isRestoring()).isFalse();
  }
}
