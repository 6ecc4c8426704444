package dev.kvorum.coordinator;

import static dev.kvorum.coordinator.CoordinatorHarness.ABSENT;
import static dev.kvorum.coordinator.CoordinatorHarness.KEY;
import static dev.kvorum.coordinator.CoordinatorHarness.STORED;
import static dev.kvorum.coordinator.CoordinatorHarness.UNREACHABLE;
import static dev.kvorum.coordinator.CoordinatorHarness.foundVersion;
import static dev.kvorum.coordinator.CoordinatorHarness.superseded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.rpc.ScriptedTransport.Ask;
import dev.kvorum.topology.Topology;
import dev.kvorum.tracing.RecordingTracer.Recorded;
import dev.kvorum.tracing.SpanKind;
import dev.kvorum.tracing.TraceContext;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each call to another replica is a span of its own, regardless of its purpose. */
class TracedRequestsTest {
  private static final TraceContext PARENT = new TraceContext(1, 2, 3, true);

  private final CoordinatorHarness harness = new CoordinatorHarness(3);

  private Ask ask(int other) {
    return harness.transport.only(harness.others.get(other));
  }

  private List<ReplicaRequest> sent(int other) {
    return harness.transport.sent(harness.others.get(other));
  }

  private List<Recorded> spans() {
    assertThat(harness.tracer.spans())
        .allMatch(span -> span.parent().equals(PARENT) && span.kind() == SpanKind.CLIENT);
    return harness.tracer.spans();
  }

  private static void assertSpan(Recorded span, String name, Object peer, String outcome) {
    assertThat(span.name()).isEqualTo(name);
    assertThat(span.attribute("kvorum.peer")).isEqualTo(peer.toString());
    assertThat(span.attribute("kvorum.outcome")).isEqualTo(outcome);
    assertThat(span.isEnded()).isTrue();
  }

  @Test
  void aWriteHasASpanForEachOtherReplicaAndNoneForItself() {
    harness.trace = PARENT;
    harness.put(2, 3, "v");
    assertThat(spans()).hasSize(2).noneMatch(Recorded::isEnded);
    for (int i = 0; i < 2; i++) {
      assertThat(sent(i))
          .singleElement()
          .isInstanceOfSatisfying(
              ReplicaRequest.Traced.class,
              traced ->
                  assertThat(harness.tracer.spans())
                      .anyMatch(span -> span.context().equals(traced.parent())));
    }
    ask(0).reply(STORED);
    ask(1).reply(UNREACHABLE);
    assertSpan(spans().get(0), "Replica/Write", harness.others.get(0), "stored");
    assertThat(spans().get(0).error()).isEmpty();
    assertSpan(spans().get(1), "Replica/Write", harness.others.get(1), "unreachable");
    assertThat(spans().get(1).error()).isEqualTo("unreachable");
    assertThat(harness.writes).singleElement().isInstanceOf(WriteOutcome.Acknowledged.class);
    assertThat(harness.finished).isEqualTo(1);
  }

  @Test
  void theSecondAttemptOfASupersededWriteIsTraced() {
    harness.trace = PARENT;
    harness.put(2, 3, "v");
    ask(0).reply(superseded(harness.version(100)));
    assertThat(spans()).hasSize(4);
    assertSpan(spans().get(0), "Replica/Write", harness.others.get(0), "superseded");
    assertThat(spans().get(0).error()).isEmpty();
    assertThat(sent(0)).hasSize(2).hasOnlyElementsOfType(ReplicaRequest.Traced.class);
    assertThat(CoordinatorHarness.written(sent(0).getLast()).version())
        .isGreaterThan(CoordinatorHarness.written(sent(0).getFirst()).version());
  }

  @Test
  void anAttemptInANewerEpochIsTraced() {
    harness.trace = PARENT;
    harness.read(2, 3);
    Topology now = harness.layout.topology();
    harness.layout = Layout.of(Topology.stable("bench", now.epoch() + 1, now.members()));
    ask(0).reply(ReplicaReply.STALE_EPOCH);
    assertThat(spans()).hasSize(2);
    assertSpan(spans().get(0), "Replica/Read", harness.others.get(0), "stale-epoch");
    ask(0).reply(ABSENT);
    assertSpan(spans().get(1), "Replica/Read", harness.others.get(0), "absent");
  }

  @Test
  void aHedgeIsTracedAndTheCallItOvertookEndsCancelled() {
    harness.trace = PARENT;
    harness.read(2, 3);
    assertThat(spans()).hasSize(1);
    harness.member.pass(Duration.ofMillis(20));
    assertThat(spans()).hasSize(2);
    ask(1).reply(ABSENT);
    assertSpan(spans().get(0), "Replica/Read", harness.others.get(0), "cancelled");
    assertThat(spans().get(0).error()).isEmpty();
    assertSpan(spans().get(1), "Replica/Read", harness.others.get(1), "absent");
  }

  @Test
  void aRepairThatTheAnswerWaitsForIsTraced() {
    Versioned newest = harness.record(0);
    harness.store.put(KEY, newest);
    harness.trace = PARENT;
    harness.read(2, 3);
    ask(0).reply(foundVersion(harness.version(-100)));
    assertThat(harness.reads).isEmpty();
    assertThat(CoordinatorHarness.written(ask(0).request())).isEqualTo(newest);
    ask(0).reply(STORED);
    assertThat(harness.reads).containsExactly(new ReadOutcome.Found(newest));
    assertSpan(spans().get(0), "Replica/Read", harness.others.get(0), "found");
    assertSpan(spans().get(1), "Replica/Write", harness.others.get(0), "stored");
  }

  @Test
  void aCallThatNobodyAnswersEndsWithItsDeadline() {
    harness.trace = PARENT;
    harness.put(3, 3, "v");
    harness.member.pass(CoordinatorHarness.TIMEOUT.plusMillis(20));
    assertThat(spans()).hasSize(2);
    assertSpan(spans().get(0), "Replica/Write", harness.others.get(0), "timed-out");
    assertSpan(spans().get(1), "Replica/Write", harness.others.get(1), "timed-out");
    ask(0).reply(STORED);
    assertThat(spans()).allMatch(Recorded::isEnded);
  }

  @Test
  void whatIsNotSampledGoesOutAsWhatHasNoTrace() {
    harness.trace = new TraceContext(1, 2, 3, false);
    harness.put(2, 3, "v");
    assertThat(sent(0)).hasOnlyElementsOfType(ReplicaRequest.Write.class).hasSize(1);
    harness.trace = null;
    harness.read(2, 3);
    assertThat(sent(0)).hasSize(2).noneMatch(ReplicaRequest.Traced.class::isInstance);
    assertThat(harness.tracer.spans()).isEmpty();
  }
}
