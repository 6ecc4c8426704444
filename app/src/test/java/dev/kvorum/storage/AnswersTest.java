package dev.kvorum.storage;

import static dev.kvorum.storage.StoreFixture.INLINE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AnswersTest {
  private final Applied superseded = new Applied.Superseded(new Version(1, 1));
  private final Applied expired = new Applied.Refused(Refusal.EXPIRED);
  private final List<Applied> heard = new ArrayList<>();
  private final Answers answers =
      new Answers(
          new FailureLog(
              LoggerFactory.getLogger(AnswersTest.class), new DamageAlarm(damage -> {})));

  @Test
  void answersOnlyAfterTheBatchIsDurable() {
    addAll();
    assertThat(heard).isEmpty();
    answers.give(true);
    assertThat(heard).containsExactly(Applied.Stored.STORED, superseded, expired);
  }

  @Test
  void turnsAllButRefusalsIntoFailuresWhenTheBatchWasLost() {
    addAll();
    answers.give(false);
    assertThat(heard).containsExactly(Answers.FAILED, Answers.FAILED, expired);
  }

  @Test
  void givesEachAnswerOnce() {
    addAll();
    answers.give(true);
    answers.give(true);
    assertThat(heard).hasSize(3);
  }

  private void addAll() {
    answers.add(INLINE, heard::add, Applied.Stored.STORED);
    answers.add(INLINE, heard::add, superseded);
    answers.add(INLINE, heard::add, expired);
  }
}
