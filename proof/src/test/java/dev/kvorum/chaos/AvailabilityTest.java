package dev.kvorum.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.chaos.history.Operation;
import dev.kvorum.chaos.history.Operation.Outcome;
import dev.kvorum.chaos.history.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Node b is killed at second 10, is back at 20 and ready at 22; the peace ends at 40. */
class AvailabilityTest {
  private final List<Operation> operations = new ArrayList<>();

  private void rejectedEachSecond(String node, boolean all, int from, int to) {
    for (int second = from; second <= to; second++) {
      operations.add(
          new Operation(
              "c",
              Operation.Kind.PUT,
              all,
              "k",
              "v" + second,
              0,
              "",
              node,
              0,
              TimeUnit.SECONDS.toNanos(second),
              TimeUnit.SECONDS.toNanos(second) + 1,
              Outcome.REJECTED,
              503));
    }
  }

  private List<Violation> violations() {
    Episode episode = FiguresTest.killed("b", 10_000, 10_000, 20_000, 22_000);
    return Availability.violations(operations, List.of(episode), TimeUnit.SECONDS.toNanos(40));
  }

  @Test
  void aLiveNodeServesAMajorityWhileAnotherIsAway() {
    rejectedEachSecond("a", false, 15, 19);
    assertThat(violations())
        .extracting(Violation::detail)
        .containsExactly("5 of 5 requests failed during [kill b]");
  }

  @Test
  void allNodesServeAllRequestsInPeace() {
    rejectedEachSecond("b", true, 27, 39);
    assertThat(violations())
        .extracting(Violation::detail)
        .containsExactly("13 of 13 requests failed in peace");
  }

  @Test
  void aFaultExcusesWhatItCauses() {
    rejectedEachSecond("a", false, 10, 14);
    rejectedEachSecond("a", true, 10, 19);
    rejectedEachSecond("b", false, 10, 26);
    assertThat(violations()).isEmpty();
  }
}
