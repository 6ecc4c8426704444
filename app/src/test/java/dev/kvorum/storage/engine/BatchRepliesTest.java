package dev.kvorum.storage.engine;

import static dev.kvorum.storage.rocks.StoreFixture.INLINE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.storage.WriteResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class BatchRepliesTest {
  private final WriteResult superseded = new WriteResult.Superseded(new Version(1, 1));
  private final WriteResult expired = new WriteResult.Refused(RejectReason.EXPIRED);
  private final List<WriteResult> heard = new ArrayList<>();
  private final BatchReplies answers =
      new BatchReplies(
          new FailureLog(
              LoggerFactory.getLogger(BatchRepliesTest.class),
              new CorruptionDetector(damage -> {})));

  @Test
  void answersOnlyAfterTheBatchIsDurable() {
    addAll();
    assertThat(heard).isEmpty();
    answers.give(true);
    assertThat(heard).containsExactly(WriteResult.Stored.STORED, superseded, expired);
  }

  @Test
  void turnsAllButRefusalsIntoFailuresWhenTheBatchWasLost() {
    addAll();
    answers.give(false);
    assertThat(heard).containsExactly(BatchReplies.FAILED, BatchReplies.FAILED, expired);
  }

  @Test
  void givesEachAnswerOnce() {
    addAll();
    answers.give(true);
    answers.give(true);
    assertThat(heard).hasSize(3);
  }

  private void addAll() {
    answers.add(INLINE, heard::add, WriteResult.Stored.STORED);
    answers.add(INLINE, heard::add, superseded);
    answers.add(INLINE, heard::add, expired);
  }
}
