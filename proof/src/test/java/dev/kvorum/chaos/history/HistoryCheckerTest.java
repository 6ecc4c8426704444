package dev.kvorum.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.chaos.history.Violation.Rule;
import org.junit.jupiter.api.Test;

/** Histories that break one rule each, beside the nearest ones that break none. */
class HistoryCheckerTest {
  private static HistoryBuilder history() {
    return new HistoryBuilder();
  }

  private static void assertValid(HistoryBuilder history) {
    assertThat(history.violations()).isEmpty();
  }

  private static void assertBroken(HistoryBuilder history, Rule rule) {
    assertThat(history.violations()).extracting(Violation::rule).containsExactly(rule);
  }

  @Test
  void acceptsWhatAnHonestStoreShows() {
    assertValid(
        history()
            .miss(0, 5)
            .put("a", 10, 10, 20)
            .read("a", 10, 21, 25)
            .put("b", 30, 30, 40)
            .read("b", 30, 35, 39)
            .delete(50, 50, 60)
            .miss(61, 65)
            .put("c", 70, 70, 80)
            .read("c", 70, 81, 85));
  }

  @Test
  void catchesALostWrite() {
    assertBroken(history().put("a", 10, 10, 20).miss(21, 25), Rule.LOST_WRITE);
    assertBroken(
        history().put("a", 10, 10, 20).put("b", 30, 30, 40).read("a", 10, 41, 45), Rule.LOST_WRITE);
  }

  @Test
  void holdsRangesToWhatWasAcknowledgedAndNothingToRanges() {
    assertBroken(history().put("a", 10, 10, 20).missedInRange(21, 25), Rule.LOST_WRITE);
    assertBroken(
        history().put("a", 10, 10, 20).delete(30, 30, 40).ranged("a", 10, 41, 45),
        Rule.RESURRECTED_DELETE);
    assertBroken(
        history()
            .put("a", 10, 10, 20)
            .put("b", 30, 30, 40)
            .read("b", 30, 41, 42)
            .ranged("a", 10, 43, 45),
        Rule.LOST_WRITE);
    assertBroken(history().ranged("a", 10, 1, 2), Rule.PHANTOM);
    assertValid(
        history()
            .put("a", 10, 10, 20)
            .perhapsPut("b", 0, 30, 40)
            .ranged("b", 30, 41, 45)
            .read("a", 10, 46, 50));
  }

  @Test
  void lostOnlyWhatWasAcknowledgedBeforeTheReadBegan() {
    assertValid(history().put("a", 10, 10, 20).put("b", 30, 30, 40).read("a", 10, 39, 45));
    assertValid(history().put("a", 10, 10, 20).miss(20, 25));
    assertValid(history().perhapsPut("a", 0, 10, 20).miss(21, 25));
  }

  @Test
  void catchesAResurrectedDelete() {
    assertBroken(
        history().put("a", 10, 10, 20).delete(30, 30, 40).read("a", 10, 41, 45),
        Rule.RESURRECTED_DELETE);
    assertValid(history().put("a", 10, 10, 20).delete(30, 30, 40).read("a", 10, 40, 45));
  }

  @Test
  void catchesVersionsThatGoBackBetweenReads() {
    HistoryBuilder two = history().put("a", 10, 10, 20).perhapsPut("b", 0, 30, 40);
    two.by("x", 0).read("b", 30, 41, 45).by("y", 0).read("a", 10, 46, 50);
    assertBroken(two, Rule.VERSION_BACKWARDS);
    assertThat(two.violations().getFirst().detail()).doesNotContain("session");

    HistoryBuilder one = history().put("a", 10, 10, 20).perhapsPut("b", 0, 30, 40);
    one.by("x", 0).read("b", 30, 41, 45).read("a", 10, 46, 50);
    assertBroken(one, Rule.VERSION_BACKWARDS);
    assertThat(one.violations().getFirst().detail()).contains("in one session");

    assertValid(
        history()
            .put("a", 10, 10, 20)
            .perhapsPut("b", 0, 30, 40)
            .read("b", 30, 41, 45)
            .read("a", 10, 45, 50));
  }

  @Test
  void catchesAValueThatIsBackAfterAReadFoundNothing() {
    HistoryBuilder perhapsDeleted =
        history().put("a", 10, 10, 20).perhapsDelete(504, 30, 40).miss(41, 45);
    assertValid(perhapsDeleted);
    assertBroken(perhapsDeleted.read("a", 10, 46, 50), Rule.VERSION_BACKWARDS);
    assertBroken(
        history().perhapsPut("a", 0, 0, 9).read("a", 5, 10, 11).miss(12, 15),
        Rule.VERSION_BACKWARDS);
  }

  @Test
  void anIndeterminateDeleteExplainsOnlyWhatItCanBeAbove() {
    // Given up at 40 with an answer: its version is 540 at most, and 5 s later a new value is safe.
    assertValid(history().perhapsDelete(504, 30, 40).put("a", 539, 400, 410).miss(411, 420));
    assertBroken(
        history().perhapsDelete(504, 30, 40).put("a", 600, 590, 610).miss(611, 620),
        Rule.LOST_WRITE);
    // Without one it may be carried out later, for ten seconds, but not before it was sent.
    assertValid(history().perhapsDelete(0, 30, 40).put("a", 600, 590, 610).miss(611, 620));
    assertBroken(
        history().perhapsDelete(0, 30, 40).put("a", 10_600, 10_590, 10_610).miss(10_611, 10_620),
        Rule.LOST_WRITE);
    assertBroken(
        history().put("a", 10, 10, 20).miss(21, 25).perhapsDelete(0, 26, 30), Rule.LOST_WRITE);
  }

  @Test
  void anAcknowledgedDeleteExplainsOnlyWhatItIsAbove() {
    assertValid(history().put("a", 10, 10, 20).delete(30, 22, 40).miss(23, 35));
    assertBroken(history().delete(9, 5, 40).put("a", 10, 10, 20).miss(23, 35), Rule.LOST_WRITE);
  }

  @Test
  void catchesAWriteBelowOneThatWasAcknowledgedBefore() {
    assertBroken(history().put("a", 30, 10, 20).put("b", 29, 21, 25), Rule.WRITE_BELOW_OLDER);
    assertBroken(history().put("a", 30, 10, 20).delete(29, 21, 25), Rule.WRITE_BELOW_OLDER);
    assertBroken(
        history().perhapsPut("a", 0, 10, 20).read("a", 30, 21, 22).put("b", 29, 23, 25),
        Rule.WRITE_BELOW_OLDER);
    assertValid(history().put("a", 30, 10, 20).put("b", 29, 20, 25));
  }

  @Test
  void catchesPhantoms() {
    assertBroken(history().read("a", 10, 10, 20), Rule.PHANTOM);
    assertBroken(history().read("a", 10, 10, 20).perhapsPut("a", 0, 21, 25), Rule.PHANTOM);
    assertValid(history().read("a", 10, 10, 20).put("a", 10, 20, 25));
    assertValid(history().perhapsPut("a", 0, 0, 9).read("a", 10, 10, 20));
  }

  @Test
  void catchesAValueThatWasRejected() {
    assertBroken(history().rejectedPut("a", 0, 9).read("a", 10, 10, 20), Rule.REJECTED_BUT_STORED);
    assertValid(history().rejectedPut("a", 0, 9).miss(10, 20));
  }

  @Test
  void catchesTwoWritesUnderOneVersion() {
    assertBroken(history().put("a", 10, 10, 20).put("b", 10, 15, 25), Rule.VERSION_SHARED);
    assertBroken(history().put("a", 10, 10, 20).delete(10, 15, 25), Rule.VERSION_SHARED);
    assertBroken(
        history().put("a", 10, 10, 20).perhapsPut("b", 0, 10, 20).read("b", 10, 21, 25),
        Rule.VERSION_SHARED);
  }

  @Test
  void catchesAVersionThatWasChangedOnTheWay() {
    assertBroken(history().put("a", 10, 10, 20).read("a", 11, 21, 25), Rule.VERSION_CHANGED);
    assertBroken(
        history()
            .perhapsPut("a", 0, 0, 9)
            .read("a", 10, 10, 11)
            .read("a", 12, 12, 13)
            .read("a", 14, 14, 15),
        Rule.VERSION_CHANGED);
    // Tried below a newer one first, and then above it.
    assertValid(history().put("a", 12, 0, 20).read("a", 10, 10, 11).read("a", 12, 12, 13));
  }

  @Test
  void catchesAValueSeenAfterItsTime() {
    HistoryBuilder late = history().putWithTtl("a", 100, 10, 10, 20).read("a", 10, 121, 130);
    assertBroken(late, Rule.TTL_SEEN_LATE);
    assertValid(history().putWithTtl("a", 100, 10, 10, 20).read("a", 10, 120, 130).miss(131, 140));
    // Stamped by a clock that was ahead, judged by one that is right.
    assertValid(
        history().by("c", 50).putWithTtl("a", 100, 60, 10, 20).by("c", 0).read("a", 60, 121, 130));
    // One that is ahead may be corrected by the others', and judge as they do.
    assertValid(history().putWithTtl("a", 100, 10, 10, 20).by("c", 50).read("a", 10, 71, 80));
    assertBroken(
        history().putWithTtl("a", 100, 10, 10, 20).by("c", 50).read("a", 10, 121, 130),
        Rule.TTL_SEEN_LATE);
  }

  @Test
  void catchesAValueGoneBeforeItsTime() {
    assertBroken(history().putWithTtl("a", 100, 10, 10, 20).miss(90, 109), Rule.TTL_LOST_EARLY);
    assertValid(history().putWithTtl("a", 100, 10, 10, 20).miss(90, 110));
    assertValid(history().putWithTtl("a", 100, 10, 10, 20).by("c", 50).miss(55, 60));
  }

  @Test
  void anExpiredValueHidesOlderOnes() {
    assertValid(history().put("a", 10, 10, 20).putWithTtl("b", 9, 30, 30, 35).miss(40, 45));
    assertValid(history().put("a", 10, 10, 20).perhapsPut("b", 9, 30, 35).miss(40, 45));
    assertBroken(
        history().put("a", 10, 10, 20).perhapsPut("b", 50, 30, 35).miss(40, 45), Rule.LOST_WRITE);
    assertBroken(
        history().put("a", 10, 10, 20).putWithTtl("b", 9, 30, 30, 35).read("a", 10, 46, 50),
        Rule.LOST_WRITE);
  }

  @Test
  void keysAreNothingToEachOther() {
    HistoryBuilder one = history().put("a", 10, 10, 20);
    History other = history().miss(21, 25).build();
    Operation miss = other.operations().getFirst();
    one.build().operations().add(renamed(miss));
    assertValid(one);
  }

  private static Operation renamed(Operation o) {
    return new Operation(
        o.client(),
        o.kind(),
        o.all(),
        "other",
        o.value(),
        o.ttlMillis(),
        o.version(),
        o.node(),
        o.skewMillis(),
        o.startNanos(),
        o.endNanos(),
        o.outcome(),
        o.status());
  }
}
