package dev.kvorum.verifier;

import static dev.kvorum.verifier.OwnKey.Verdict.INVENTED;
import static dev.kvorum.verifier.OwnKey.Verdict.LOST;
import static dev.kvorum.verifier.OwnKey.Verdict.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OwnKeyTest {
  private final OwnKey key = new OwnKey("k");

  private static OptionalLong number(long number) {
    return OptionalLong.of(number);
  }

  @Test
  void anAcknowledgedValueMustBeShown() {
    key.acknowledged(key.next());
    assertThat(key.seen(number(1))).isEqualTo(RIGHT);
    assertThat(key.seen(OptionalLong.empty())).isEqualTo(LOST);
  }

  @Test
  void anOlderValueThanTheAcknowledgedOneIsALoss() {
    key.acknowledged(key.next());
    key.acknowledged(key.next());
    assertThat(key.seen(number(1))).isEqualTo(LOST);
    assertThat(key.seen(number(2))).isEqualTo(RIGHT);
  }

  @Test
  void aValueThatWasNotAcknowledgedMayBeShownOrNot() {
    key.acknowledged(key.next());
    key.next();
    assertThat(key.seen(number(1))).isEqualTo(RIGHT);
    assertThat(key.seen(number(2))).isEqualTo(RIGHT);
  }

  @Test
  void whatWasShownOnceStaysToBeSeen() {
    key.next();
    assertThat(key.seen(OptionalLong.empty())).isEqualTo(RIGHT);
    assertThat(key.seen(number(1))).isEqualTo(RIGHT);
    assertThat(key.seen(OptionalLong.empty())).isEqualTo(LOST);
  }

  @Test
  void aValueThatNobodyWroteIsInvented() {
    key.acknowledged(key.next());
    assertThat(key.seen(number(2))).isEqualTo(INVENTED);
    assertThat(key.seen(number(-1))).isEqualTo(INVENTED);
  }
}
