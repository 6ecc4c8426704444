package dev.kvorum.coordinator;

import static dev.kvorum.coordinator.CoordinatorHarness.ABSENT;
import static dev.kvorum.coordinator.CoordinatorHarness.KEY;
import static dev.kvorum.coordinator.CoordinatorHarness.UNREACHABLE;
import static dev.kvorum.coordinator.CoordinatorHarness.found;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.coordinator.KeyReport.Copy;
import dev.kvorum.coordinator.KeyReport.Result;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.rpc.ScriptedTransport.Ask;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoordinatorExplainTest {
  private final CoordinatorHarness harness = new CoordinatorHarness(3);
  private final List<KeyReport> reports = new ArrayList<>();

  private void explain(int ack) {
    explain(ack, bytes -> true);
  }

  private void explain(int ack, ReadMemory memory) {
    harness.coordinator.explain(KEY, new Quorum(ack, 3), memory).subscribe(reports::add);
  }

  private Ask ask(int other) {
    return harness.transport.only(harness.others.get(other));
  }

  private KeyReport report() {
    assertThat(reports).hasSize(1);
    return reports.getFirst();
  }

  private List<String> outcomes() {
    return report().copies().stream().map(copy -> copy.outcome().label()).toList();
  }

  @Test
  void waitsForAllReplicasAndRepairsNone() {
    Versioned newest = harness.record(0);
    Versioned older = harness.record(-50);
    harness.store.put(KEY, newest);
    explain(1);
    assertThat(ask(0).request()).isEqualTo(new ReplicaRequest.Read(KEY, Detail.RECORD));
    ask(0).reply(found(older));
    assertThat(reports).isEmpty();
    ask(1).reply(ABSENT);
    assertThat(report().result()).isEqualTo(Result.VALUE);
    assertThat(report().copies())
        .extracting(Copy::version)
        .containsExactly(newest.version(), older.version(), Version.NONE);
    assertThat(report().copies()).extracting(Copy::valueBytes).containsExactly(1, 1, 0);
    assertThat(report().copies()).extracting(Copy::member).startsWith(harness.self);
    assertThat(report().newest().orElseThrow().value()).isEmpty();
    assertThat(harness.transport.sent(harness.others.getFirst())).hasSize(1);
  }

  @Test
  void hasNoQuorumWithTheReplicasThatCannotBeReached() {
    harness.store.put(KEY, harness.record(0));
    explain(2);
    ask(0).reply(UNREACHABLE);
    harness.member.pass(CoordinatorHarness.TIMEOUT.plusMillis(50));
    assertThat(report().result()).isEqualTo(Result.NO_QUORUM);
    assertThat(outcomes()).containsExactly("found", "unreachable", "timed-out");
  }

  @Test
  void judgesDeletedExpiredAndAbsentRecords() {
    harness.store.put(KEY, Versioned.tombstone(harness.version(0), 3));
    assertThat(resultWithoutOthers()).isEqualTo(Result.DELETED);
    long past = harness.clock.wallMillis() - 1;
    harness.store.put(KEY, Versioned.live(harness.version(10), past, 3, new byte[2]));
    assertThat(resultWithoutOthers()).isEqualTo(Result.EXPIRED);
    harness.store.reset();
    assertThat(resultWithoutOthers()).isEqualTo(Result.ABSENT);
  }

  private Result resultWithoutOthers() {
    reports.clear();
    harness.others.forEach(other -> harness.transport.answerInline(other, request -> ABSENT));
    explain(2);
    return report().result();
  }

  @Test
  void leavesOutAValueForWhichThereIsNoMemory() {
    harness.store.put(KEY, harness.record(0));
    harness.others.forEach(other -> harness.transport.answerInline(other, request -> ABSENT));
    explain(3, bytes -> false);
    assertThat(outcomes()).containsExactly("overloaded", "absent", "absent");
    assertThat(report().result()).isEqualTo(Result.NO_QUORUM);
  }

  @Test
  void asksAgainInTheEpochOfAReplicaThatIsAhead() {
    explain(2);
    ask(0).reply(ReplicaReply.STALE_EPOCH);
    ask(1).reply(ABSENT);
    Topology now = harness.layout.topology();
    harness.layout = Layout.of(Topology.stable(now.clusterId(), 2, now.members()));
    harness.others.forEach(other -> harness.transport.answerInline(other, request -> ABSENT));
    harness.member.pass(Duration.ofMillis(20));
    assertThat(report().epoch()).isEqualTo(2);
    assertThat(report().result()).isEqualTo(Result.ABSENT);
  }

  @Test
  void aCancelledOneReportsNothing() {
    harness
        .coordinator
        .explain(KEY, new Quorum(2, 3), bytes -> true)
        .subscribe(reports::add)
        .dispose();
    harness.member.pass(CoordinatorHarness.TIMEOUT.plusMillis(50));
    assertThat(reports).isEmpty();
  }
}
