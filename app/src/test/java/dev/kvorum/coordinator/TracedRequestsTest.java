package dev.kvorum.coordinator;

import static dev.kvorum.coordinator.Bench.ABSENT;
import static dev.kvorum.coordinator.Bench.KEY;
import static dev.kvorum.coordinator.Bench.STORED;
import static dev.kvorum.coordinator.Bench.UNREACHABLE;
import static dev.kvorum.coordinator.Bench.foundVersion;
import static dev.kvorum.coordinator.Bench.superseded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.ScriptedTransport.Ask;
import dev.kvorum.topology.Topology;
import dev.kvorum.tracing.RecordingTracer.Recorded;
import dev.kvorum.tracing.SpanKind;
import dev.kvorum.tracing.TraceContext;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each call to another replica is a span of its own, whatever it is made for. */
class TracedRequestsTest {
  private static final TraceContext PARENT = new TraceContext(1, 2, 3, true);

  private final Bench bench = new Bench(3);

  private Ask ask(int other) {
    return bench.transport.only(bench.others.get(other));
  }

  private List<ReplicaRequest> sent(int other) {
    return bench.transport.sent(bench.others.get(other));
  }

  private List<Recorded> spans() {
    assertThat(bench.tracer.spans())
        .allMatch(span -> span.parent().equals(PARENT) && span.kind() == SpanKind.CLIENT);
    return bench.tracer.spans();
  }

  private static void assertSpan(Recorded span, String name, Object peer, String outcome) {
    assertThat(span.name()).isEqualTo(name);
    assertThat(span.said("kvorum.peer")).isEqualTo(peer.toString());
    assertThat(span.said("kvorum.outcome")).isEqualTo(outcome);
    assertThat(span.isEnded()).isTrue();
  }

  @Test
  void aWriteHasASpanForEachOtherReplicaAndNoneForItself() {
    bench.trace = PARENT;
    bench.put(2, 3, "v");
    assertThat(spans()).hasSize(2).noneMatch(Recorded::isEnded);
    for (int i = 0; i < 2; i++) {
      assertThat(sent(i))
          .singleElement()
          .isInstanceOfSatisfying(
              ReplicaRequest.Traced.class,
              traced ->
                  assertThat(bench.tracer.spans())
                      .anyMatch(span -> span.context().equals(traced.parent())));
    }
    ask(0).answer(STORED);
    ask(1).answer(UNREACHABLE);
    assertSpan(spans().get(0), "Replica/Write", bench.others.get(0), "stored");
    assertThat(spans().get(0).error()).isEmpty();
    assertSpan(spans().get(1), "Replica/Write", bench.others.get(1), "unreachable");
    assertThat(spans().get(1).error()).isEqualTo("unreachable");
    assertThat(bench.writes).singleElement().isInstanceOf(WriteOutcome.Acknowledged.class);
    assertThat(bench.finished).isEqualTo(1);
  }

  @Test
  void theSecondAttemptOfASupersededWriteIsTraced() {
    bench.trace = PARENT;
    bench.put(2, 3, "v");
    ask(0).answer(superseded(bench.version(100)));
    assertThat(spans()).hasSize(4);
    assertSpan(spans().get(0), "Replica/Write", bench.others.get(0), "superseded");
    assertThat(spans().get(0).error()).isEmpty();
    assertThat(sent(0)).hasSize(2).hasOnlyElementsOfType(ReplicaRequest.Traced.class);
    assertThat(Bench.written(sent(0).getLast()).version())
        .isGreaterThan(Bench.written(sent(0).getFirst()).version());
  }

  @Test
  void anAttemptInANewerEpochIsTraced() {
    bench.trace = PARENT;
    bench.read(2, 3);
    Topology now = bench.layout.topology();
    bench.layout = Layout.of(Topology.stable("bench", now.epoch() + 1, now.members()));
    ask(0).answer(ReplicaReply.STALE_EPOCH);
    assertThat(spans()).hasSize(2);
    assertSpan(spans().get(0), "Replica/Read", bench.others.get(0), "stale-epoch");
    ask(0).answer(ABSENT);
    assertSpan(spans().get(1), "Replica/Read", bench.others.get(0), "absent");
  }

  @Test
  void aHedgeIsTracedAndTheCallItOvertookEndsCancelled() {
    bench.trace = PARENT;
    bench.read(2, 3);
    assertThat(spans()).hasSize(1);
    bench.pass(Duration.ofMillis(20));
    assertThat(spans()).hasSize(2);
    ask(1).answer(ABSENT);
    assertSpan(spans().get(0), "Replica/Read", bench.others.get(0), "cancelled");
    assertThat(spans().get(0).error()).isEmpty();
    assertSpan(spans().get(1), "Replica/Read", bench.others.get(1), "absent");
  }

  @Test
  void aRepairThatTheAnswerWaitsForIsTraced() {
    Versioned newest = bench.record(0);
    bench.store.put(KEY, newest);
    bench.trace = PARENT;
    bench.read(2, 3);
    ask(0).answer(foundVersion(bench.version(-100)));
    assertThat(bench.reads).isEmpty();
    assertThat(Bench.written(ask(0).request())).isEqualTo(newest);
    ask(0).answer(STORED);
    assertThat(bench.reads).containsExactly(new ReadOutcome.Found(newest));
    assertSpan(spans().get(0), "Replica/Read", bench.others.get(0), "found");
    assertSpan(spans().get(1), "Replica/Write", bench.others.get(0), "stored");
  }

  @Test
  void aCallThatNobodyAnswersEndsWithItsDeadline() {
    bench.trace = PARENT;
    bench.put(3, 3, "v");
    bench.pass(Bench.TIMEOUT.plusMillis(20));
    assertThat(spans()).hasSize(2);
    assertSpan(spans().get(0), "Replica/Write", bench.others.get(0), "timed-out");
    assertSpan(spans().get(1), "Replica/Write", bench.others.get(1), "timed-out");
    ask(0).answer(STORED);
    assertThat(spans()).allMatch(Recorded::isEnded);
  }

  @Test
  void whatIsNotSampledGoesOutAsWhatHasNoTrace() {
    bench.trace = new TraceContext(1, 2, 3, false);
    bench.put(2, 3, "v");
    assertThat(sent(0)).hasOnlyElementsOfType(ReplicaRequest.Write.class).hasSize(1);
    bench.trace = null;
    bench.read(2, 3);
    assertThat(sent(0)).hasSize(2).noneMatch(ReplicaRequest.Traced.class::isInstance);
    assertThat(bench.tracer.spans()).isEmpty();
  }
}
