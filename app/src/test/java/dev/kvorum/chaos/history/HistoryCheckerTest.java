package dev.kvorum.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.chaos.history.Violation.Rule;
import org.junit.jupiter.api.Test;

/** Histories that break one rule each, beside the nearest ones that break none. */
class HistoryCheckerTest {
  private static Told told() {
    return new Told();
  }

  private static void assertHonest(Told history) {
    assertThat(history.violations()).isEmpty();
  }

  private static void assertBroken(Told history, Rule rule) {
    assertThat(history.violations()).extracting(Violation::rule).containsExactly(rule);
  }

  @Test
  void acceptsWhatAnHonestStoreShows() {
    assertHonest(
        told()
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
    assertBroken(told().put("a", 10, 10, 20).miss(21, 25), Rule.LOST_WRITE);
    assertBroken(
        told().put("a", 10, 10, 20).put("b", 30, 30, 40).read("a", 10, 41, 45), Rule.LOST_WRITE);
  }

  @Test
  void holdsRangesToWhatWasAcknowledgedAndNothingToRanges() {
    assertBroken(told().put("a", 10, 10, 20).missedInRange(21, 25), Rule.LOST_WRITE);
    assertBroken(
        told().put("a", 10, 10, 20).delete(30, 30, 40).ranged("a", 10, 41, 45),
        Rule.RESURRECTED_DELETE);
    assertBroken(
        told()
            .put("a", 10, 10, 20)
            .put("b", 30, 30, 40)
            .read("b", 30, 41, 42)
            .ranged("a", 10, 43, 45),
        Rule.LOST_WRITE);
    assertBroken(told().ranged("a", 10, 1, 2), Rule.PHANTOM);
    assertHonest(
        told()
            .put("a", 10, 10, 20)
            .perhapsPut("b", 0, 30, 40)
            .ranged("b", 30, 41, 45)
            .read("a", 10, 46, 50));
  }

  @Test
  void lostOnlyWhatWasAcknowledgedBeforeTheReadBegan() {
    assertHonest(told().put("a", 10, 10, 20).put("b", 30, 30, 40).read("a", 10, 39, 45));
    assertHonest(told().put("a", 10, 10, 20).miss(20, 25));
    assertHonest(told().perhapsPut("a", 0, 10, 20).miss(21, 25));
  }

  @Test
  void catchesAResurrectedDelete() {
    assertBroken(
        told().put("a", 10, 10, 20).delete(30, 30, 40).read("a", 10, 41, 45),
        Rule.RESURRECTED_DELETE);
    assertHonest(told().put("a", 10, 10, 20).delete(30, 30, 40).read("a", 10, 40, 45));
  }

  @Test
  void catchesVersionsThatGoBackBetweenReads() {
    Told two = told().put("a", 10, 10, 20).perhapsPut("b", 0, 30, 40);
    two.by("x", 0).read("b", 30, 41, 45).by("y", 0).read("a", 10, 46, 50);
    assertBroken(two, Rule.VERSION_BACKWARDS);
    assertThat(two.violations().getFirst().detail()).doesNotContain("session");

    Told one = told().put("a", 10, 10, 20).perhapsPut("b", 0, 30, 40);
    one.by("x", 0).read("b", 30, 41, 45).read("a", 10, 46, 50);
    assertBroken(one, Rule.VERSION_BACKWARDS);
    assertThat(one.violations().getFirst().detail()).contains("in one session");

    assertHonest(
        told()
            .put("a", 10, 10, 20)
            .perhapsPut("b", 0, 30, 40)
            .read("b", 30, 41, 45)
            .read("a", 10, 45, 50));
  }

  @Test
  void catchesAValueThatIsBackAfterAReadFoundNothing() {
    Told perhapsDeleted = told().put("a", 10, 10, 20).perhapsDelete(504, 30, 40).miss(41, 45);
    assertHonest(perhapsDeleted);
    assertBroken(perhapsDeleted.read("a", 10, 46, 50), Rule.VERSION_BACKWARDS);
    assertBroken(
        told().perhapsPut("a", 0, 0, 9).read("a", 5, 10, 11).miss(12, 15), Rule.VERSION_BACKWARDS);
  }

  @Test
  void anIndeterminateDeleteExplainsOnlyWhatItCanBeAbove() {
    // Given up at 40 with an answer: its version is 540 at most, and 5 s later a new value is safe.
    assertHonest(told().perhapsDelete(504, 30, 40).put("a", 539, 400, 410).miss(411, 420));
    assertBroken(
        told().perhapsDelete(504, 30, 40).put("a", 600, 590, 610).miss(611, 620), Rule.LOST_WRITE);
    // Without one it may be carried out later, for ten seconds, but not before it was sent.
    assertHonest(told().perhapsDelete(0, 30, 40).put("a", 600, 590, 610).miss(611, 620));
    assertBroken(
        told().perhapsDelete(0, 30, 40).put("a", 10_600, 10_590, 10_610).miss(10_611, 10_620),
        Rule.LOST_WRITE);
    assertBroken(
        told().put("a", 10, 10, 20).miss(21, 25).perhapsDelete(0, 26, 30), Rule.LOST_WRITE);
  }

  @Test
  void anAcknowledgedDeleteExplainsOnlyWhatItIsAbove() {
    assertHonest(told().put("a", 10, 10, 20).delete(30, 22, 40).miss(23, 35));
    assertBroken(told().delete(9, 5, 40).put("a", 10, 10, 20).miss(23, 35), Rule.LOST_WRITE);
  }

  @Test
  void catchesAWriteBelowOneThatWasAcknowledgedBefore() {
    assertBroken(told().put("a", 30, 10, 20).put("b", 29, 21, 25), Rule.WRITE_BELOW_OLDER);
    assertBroken(told().put("a", 30, 10, 20).delete(29, 21, 25), Rule.WRITE_BELOW_OLDER);
    assertBroken(
        told().perhapsPut("a", 0, 10, 20).read("a", 30, 21, 22).put("b", 29, 23, 25),
        Rule.WRITE_BELOW_OLDER);
    assertHonest(told().put("a", 30, 10, 20).put("b", 29, 20, 25));
  }

  @Test
  void catchesPhantoms() {
    assertBroken(told().read("a", 10, 10, 20), Rule.PHANTOM);
    assertBroken(told().read("a", 10, 10, 20).perhapsPut("a", 0, 21, 25), Rule.PHANTOM);
    assertHonest(told().read("a", 10, 10, 20).put("a", 10, 20, 25));
    assertHonest(told().perhapsPut("a", 0, 0, 9).read("a", 10, 10, 20));
  }

  @Test
  void catchesAValueThatWasRefused() {
    assertBroken(told().refusedPut("a", 0, 9).read("a", 10, 10, 20), Rule.REFUSED_BUT_STORED);
    assertHonest(told().refusedPut("a", 0, 9).miss(10, 20));
  }

  @Test
  void catchesTwoWritesUnderOneVersion() {
    assertBroken(told().put("a", 10, 10, 20).put("b", 10, 15, 25), Rule.VERSION_SHARED);
    assertBroken(told().put("a", 10, 10, 20).delete(10, 15, 25), Rule.VERSION_SHARED);
    assertBroken(
        told().put("a", 10, 10, 20).perhapsPut("b", 0, 10, 20).read("b", 10, 21, 25),
        Rule.VERSION_SHARED);
  }

  @Test
  void catchesAVersionThatWasChangedOnTheWay() {
    assertBroken(told().put("a", 10, 10, 20).read("a", 11, 21, 25), Rule.VERSION_CHANGED);
    assertBroken(
        told()
            .perhapsPut("a", 0, 0, 9)
            .read("a", 10, 10, 11)
            .read("a", 12, 12, 13)
            .read("a", 14, 14, 15),
        Rule.VERSION_CHANGED);
    // Tried below a newer one first, and then above it.
    assertHonest(told().put("a", 12, 0, 20).read("a", 10, 10, 11).read("a", 12, 12, 13));
  }

  @Test
  void catchesAValueSeenAfterItsTime() {
    Told late = told().putWithTtl("a", 100, 10, 10, 20).read("a", 10, 121, 130);
    assertBroken(late, Rule.TTL_SEEN_LATE);
    assertHonest(told().putWithTtl("a", 100, 10, 10, 20).read("a", 10, 120, 130).miss(131, 140));
    // Stamped by a clock that was ahead, judged by one that is right.
    assertHonest(
        told().by("c", 50).putWithTtl("a", 100, 60, 10, 20).by("c", 0).read("a", 60, 121, 130));
    // One that is ahead may be corrected by the others', and judge as they do.
    assertHonest(told().putWithTtl("a", 100, 10, 10, 20).by("c", 50).read("a", 10, 71, 80));
    assertBroken(
        told().putWithTtl("a", 100, 10, 10, 20).by("c", 50).read("a", 10, 121, 130),
        Rule.TTL_SEEN_LATE);
  }

  @Test
  void catchesAValueGoneBeforeItsTime() {
    assertBroken(told().putWithTtl("a", 100, 10, 10, 20).miss(90, 109), Rule.TTL_LOST_EARLY);
    assertHonest(told().putWithTtl("a", 100, 10, 10, 20).miss(90, 110));
    assertHonest(told().putWithTtl("a", 100, 10, 10, 20).by("c", 50).miss(55, 60));
  }

  @Test
  void anExpiredValueHidesOlderOnes() {
    assertHonest(told().put("a", 10, 10, 20).putWithTtl("b", 9, 30, 30, 35).miss(40, 45));
    assertHonest(told().put("a", 10, 10, 20).perhapsPut("b", 9, 30, 35).miss(40, 45));
    assertBroken(
        told().put("a", 10, 10, 20).perhapsPut("b", 50, 30, 35).miss(40, 45), Rule.LOST_WRITE);
    assertBroken(
        told().put("a", 10, 10, 20).putWithTtl("b", 9, 30, 30, 35).read("a", 10, 46, 50),
        Rule.LOST_WRITE);
  }

  @Test
  void keysAreNothingToEachOther() {
    Told one = told().put("a", 10, 10, 20);
    History other = told().miss(21, 25).history();
    Operation miss = other.operations().getFirst();
    one.history().operations().add(renamed(miss));
    assertHonest(one);
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
