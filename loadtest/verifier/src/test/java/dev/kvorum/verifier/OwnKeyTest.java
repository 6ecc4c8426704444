package dev.kvorum.verifier;

import static dev.kvorum.verifier.OwnKey.Verdict.LOST_WRITE;
import static dev.kvorum.verifier.OwnKey.Verdict.PHANTOM;
import static dev.kvorum.verifier.OwnKey.Verdict.RIGHT;
import static dev.kvorum.verifier.OwnKey.Verdict.VERSION_CHANGED;
import static dev.kvorum.verifier.OwnKey.Verdict.VERSION_SHARED;
import static dev.kvorum.verifier.OwnKey.Verdict.WRITE_BELOW_OLDER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.verifier.OwnKey.Verdict;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Times are in seconds, and versions letters. */
class OwnKeyTest {
  private final OwnKey key = new OwnKey("k");

  private Verdict write(String version, int atSecond) {
    return key.acknowledged(key.next(), version, TimeUnit.SECONDS.toNanos(atSecond));
  }

  private void perhapsWrite(int upToSecond) {
    key.unanswered(key.next(), TimeUnit.SECONDS.toNanos(upToSecond));
  }

  @Test
  void anAcknowledgedValueMustBeShown() {
    assertThat(key.missed()).isEqualTo(RIGHT);
    assertThat(write("a", 1)).isEqualTo(RIGHT);
    assertThat(key.seen(1, "a")).isEqualTo(RIGHT);
    assertThat(key.missed()).isEqualTo(LOST_WRITE);
  }

  @Test
  void anOlderValueThanTheAcknowledgedOneIsALoss() {
    write("a", 1);
    write("b", 2);
    assertThat(key.seen(1, "a")).isEqualTo(LOST_WRITE);
    assertThat(key.seen(1, "c")).isEqualTo(LOST_WRITE);
    assertThat(key.seen(2, "b")).isEqualTo(RIGHT);
  }

  @Test
  void aValueThatWasNotAcknowledgedMayBeShownOrNot() {
    write("a", 1);
    perhapsWrite(2);
    perhapsWrite(60);
    assertThat(key.seen(1, "a")).isEqualTo(RIGHT);
    assertThat(key.seen(3, "b")).isEqualTo(RIGHT);
    assertThat(key.seen(2, "c")).isEqualTo(RIGHT);
    assertThat(key.seen(3, "b")).isEqualTo(LOST_WRITE);
  }

  @Test
  void whatWasShownOnceStaysToBeSeen() {
    perhapsWrite(1);
    assertThat(key.missed()).isEqualTo(RIGHT);
    assertThat(key.seen(1, "a")).isEqualTo(RIGHT);
    assertThat(key.missed()).isEqualTo(LOST_WRITE);
  }

  @Test
  void anUnansweredWriteMayBeAboveThoseOfTheNextSecondsOnly() {
    perhapsWrite(1);
    write("b", 5);
    perhapsWrite(60);
    assertThat(key.seen(1, "a")).isEqualTo(LOST_WRITE);
    assertThat(key.seen(1, "c")).isEqualTo(RIGHT);
    assertThat(key.seen(2, "b")).isEqualTo(LOST_WRITE);
    assertThat(write("d", 61)).isEqualTo(RIGHT);
    assertThat(key.seen(1, "e")).isEqualTo(LOST_WRITE);
    assertThat(key.seen(3, "e")).isEqualTo(RIGHT);
    assertThat(write("f", 70)).isEqualTo(RIGHT);
    assertThat(key.seen(3, "g")).isEqualTo(LOST_WRITE);
  }

  @Test
  void aWriteIsAboveWhatWasAcknowledgedOrRead() {
    write("c", 1);
    assertThat(write("b", 2)).isEqualTo(WRITE_BELOW_OLDER);
    assertThat(write("c", 3)).isEqualTo(WRITE_BELOW_OLDER);
    perhapsWrite(4);
    key.seen(4, "e");
    assertThat(write("d", 5)).isEqualTo(WRITE_BELOW_OLDER);
  }

  @Test
  void aVersionIsOfOneValueAndAnAcknowledgedValueHasOneVersion() {
    write("a", 1);
    perhapsWrite(2);
    assertThat(key.seen(2, "a")).isEqualTo(VERSION_SHARED);
    assertThat(key.seen(1, "b")).isEqualTo(VERSION_CHANGED);
    assertThat(key.seen(2, "b")).isEqualTo(RIGHT);
    assertThat(key.seen(2, "c")).isEqualTo(RIGHT);
  }

  @Test
  void aValueThatNobodyWroteIsAPhantom() {
    write("a", 1);
    assertThat(key.seen(2, "b")).isEqualTo(PHANTOM);
    assertThat(key.seen(-1, "b")).isEqualTo(PHANTOM);
  }
}
