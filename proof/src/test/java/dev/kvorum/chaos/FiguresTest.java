package dev.kvorum.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.chaos.Faults.Fault;
import dev.kvorum.chaos.Faults.Kind;
import dev.kvorum.chaos.history.Operation;
import dev.kvorum.chaos.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which requests count for which figure. Times are in milliseconds. */
class FiguresTest {
  private final List<Operation> operations = new ArrayList<>();

  private void operation(String node, boolean all, long from, long to, Outcome outcome) {
    operations.add(
        new Operation(
            "c",
            Operation.Kind.GET,
            all,
            "k",
            "",
            0,
            "",
            node,
            0,
            TimeUnit.MILLISECONDS.toNanos(from),
            TimeUnit.MILLISECONDS.toNanos(to),
            outcome,
            0));
  }

  static Episode killed(String victim, long begun, long struck, long healed, long recovered) {
    return new Episode(
        List.of(new Fault(Kind.KILL, victim, "", () -> {}, () -> {})),
        TimeUnit.MILLISECONDS.toNanos(begun),
        TimeUnit.MILLISECONDS.toNanos(struck),
        TimeUnit.MILLISECONDS.toNanos(healed),
        TimeUnit.MILLISECONDS.toNanos(recovered));
  }

  private Figures.Row row(String fault, Episode... episodes) {
    return Figures.of(operations, List.of(episodes)).rows().stream()
        .filter(row -> row.fault().equals(fault))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void countsMajorityRequestsToHealthyNodesOnceTheFaultMayBeNoticed() {
    operation("a", false, 2_500, 2_510, Outcome.OK);
    operation("a", false, 3_001, 3_011, Outcome.OK);
    operation("a", false, 3_002, 3_022, Outcome.INDETERMINATE);
    operation("a", true, 3_002, 4_002, Outcome.INDETERMINATE);
    operation("dead", false, 3_002, 4_002, Outcome.REJECTED);
    operation("a", false, 6_001, 6_050, Outcome.OK);

    Figures.Row row = row("kill", killed("dead", 1_900, 2_000, 6_000, 7_000));

    assertThat(row.requests()).isEqualTo(2);
    assertThat(row.failed()).isEqualTo(1);
    assertThat(row.p50Millis()).isEqualTo(10);
    assertThat(row.maxMillis()).isEqualTo(20);
  }

  @Test
  void takesTheTimeFromHealingToTheLastFailureBeforeTheNextFault() {
    operation("dead", false, 6_100, 6_500, Outcome.REJECTED);
    operation("dead", false, 7_100, 7_200, Outcome.OK);
    operation("dead", false, 9_500, 9_600, Outcome.REJECTED);
    Episode first = killed("dead", 1_900, 2_000, 6_000, 7_000);
    Episode second = killed("dead", 9_000, 9_100, 12_000, 13_000);

    Figures.Row row = row("kill", first, second);

    assertThat(row.times()).isEqualTo(2);
    assertThat(row.recoveryMedianMillis()).isZero();
    assertThat(row.recoveryMaxMillis()).isEqualTo(500);
  }

  @Test
  void countsCalmBetweenTheFaults() {
    operation("a", false, 100, 105, Outcome.OK);
    operation("a", false, 1_950, 1_999, Outcome.OK);
    operation("a", false, 7_100, 7_300, Outcome.INDETERMINATE);
    operation("a", false, 7_500, 7_507, Outcome.OK);
    Episode first = killed("dead", 1_900, 2_000, 6_000, 7_000);
    Episode second = killed("dead", 9_000, 9_100, 12_000, 13_000);

    Figures.Row row = row("none", first, second);

    assertThat(row.requests()).isEqualTo(2);
    assertThat(row.maxMillis()).isEqualTo(7);
    assertThat(row.recoveryMaxMillis()).isEqualTo(-1);
  }

  @Test
  void putsTwoFaultsAtATimeIntoARowOfTheirOwn() {
    Episode one = killed("x", 1_900, 2_000, 6_000, 7_000);
    Episode two =
        new Episode(
            List.of(one.faults().getFirst(), one.faults().getFirst()),
            one.begunNanos(),
            one.struckNanos(),
            one.healedNanos(),
            one.recoveredNanos());
    assertThat(row("two at a time", two).times()).isEqualTo(1);
  }
}
