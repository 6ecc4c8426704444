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
  private final WriteResult expired = new WriteResult.Rejected(RejectReason.EXPIRED);
  private final List<WriteResult> results = new ArrayList<>();
  private final BatchReplies answers =
      new BatchReplies(
          new FailureLog(
              LoggerFactory.getLogger(BatchRepliesTest.class),
              new CorruptionDetector(damage -> {})));

  @Test
  void answersOnlyAfterTheBatchIsDurable() {
    addAll();
    assertThat(results).isEmpty();
    answers.give(true);
    assertThat(results).containsExactly(WriteResult.Stored.STORED, superseded, expired);
  }

  @Test
  void turnsAllButRejectionsIntoFailuresWhenTheBatchWasLost() {
    addAll();
    answers.give(false);
    assertThat(results).containsExactly(BatchReplies.FAILED, BatchReplies.FAILED, expired);
  }

  @Test
  void givesEachAnswerOnce() {
    addAll();
    answers.give(true);
    answers.give(true);
    assertThat(results).hasSize(3);
  }

  private void addAll() {
    answers.add(INLINE, results::add, WriteResult.Stored.STORED);
    answers.add(INLINE, results::add, superseded);
    answers.add(INLINE, results::add, expired);
  }
}
