package dev.kvorum.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.rpc.MemoryHints;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.rpc.ScriptedTransport;
import dev.kvorum.rpc.Wire;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.RecordingTracer;
import dev.kvorum.tracing.RecordingTracer.Recorded;
import dev.kvorum.tracing.SpanKind;
import dev.kvorum.tracing.TraceContext;
import dev.kvorum.tracing.Tracer;
import dev.kvorum.virtualtime.VirtualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A replica's own part in the traces of other nodes. */
class TracedReplicaTest {
  private static final MemberId SELF = new MemberId("self");
  private static final MemberId PEER = new MemberId("peer");
  private static final TraceContext PARENT = new TraceContext(1, 2, 3, true);
  private static final ReplicaRequest READ = new ReplicaRequest.Read(Key.of("k"), Detail.VERSION);

  private final RecordingTracer tracer = new RecordingTracer();
  private final VirtualLoop loop = new VirtualLoop();
  private final MemoryStore store = new MemoryStore();
  private final HybridLogicalClock clock =
      new HybridLogicalClock(loop.wallClock(0), Duration.ofMillis(500), 1, 0);
  private final LocalReplica local = local(tracer);
  private final List<ReplicaReply> replies = new ArrayList<>();

  private LocalReplica local(Tracer of) {
    return new LocalReplica(
        store, clock, Wire.member(SELF).topology(), () -> false, new ChecksumVerifier(), of);
  }

  private Recorded served(ReplicaRequest request, long epoch) {
    local.handle(request.within(PARENT), epoch, loop, replies::add);
    loop.runReady();
    assertThat(replies).hasSize(1);
    assertThat(tracer.spans()).hasSize(1);
    Recorded span = tracer.spans().getFirst();
    assertThat(span.kind()).isEqualTo(SpanKind.SERVER);
    assertThat(span.parent()).isEqualTo(PARENT);
    assertThat(span.isEnded()).isTrue();
    return span;
  }

  @Test
  void aReadThatIsServedIsASpanOfTheAskersTrace() {
    Recorded span = served(READ, local.epoch());
    assertThat(span.name()).isEqualTo("Replica/Read");
    assertThat(span.attribute("rpc.method")).isEqualTo("Read");
    assertThat(span.attribute("kvorum.outcome")).isEqualTo("absent");
    assertThat(span.error()).isEmpty();
  }

  @Test
  void aRejectionIsAnErrorOfTheSpan() {
    Version tooFar = new Version(Version.stampOf(clock.wallMillis() + 501), 1);
    Mutation mutation = new Mutation(Key.of("k"), Versioned.tombstone(tooFar, 1));
    Recorded span = served(new ReplicaRequest.Write(mutation), local.epoch());
    assertThat(span.name()).isEqualTo("Replica/Write");
    assertThat(span.error()).isEqualTo(RejectReason.CLOCK_AHEAD.label());
  }

  @Test
  void whatWasPlannedInAnOlderEpochIsRejectedTracedOrNot() {
    Recorded span = served(READ, local.epoch() - 1);
    assertThat(replies).containsExactly(ReplicaReply.STALE_EPOCH);
    assertThat(span.error()).isEqualTo("stale-epoch");
  }

  @Test
  void returnsTheTopologyInAnyEpochTracedOrNot() {
    served(TransferRequest.AskTopology.ASK_TOPOLOGY, local.epoch() - 1);
    assertThat(replies).hasOnlyElementsOfType(TransferReply.Known.class);
  }

  @Test
  void theSpanEndsWithAnAnswerThatComesLater() {
    List<Runnable> othersWork = new ArrayList<>();
    ReplicaReply delivered = new ReplicaReply.HintsDelivered(3, 4);
    local.serve(
        ReplicasTest.delivering((target, waiter) -> othersWork.add(() -> waiter.reply(delivered))));
    ReplicaRequest pull = new ReplicaRequest.PullHints(PEER).within(PARENT);
    local.handle(pull, local.epoch(), loop, replies::add);
    assertThat(tracer.spans()).singleElement().matches(span -> !span.isEnded());
    othersWork.getFirst().run();
    loop.runReady();
    assertThat(replies).containsExactly(delivered);
    assertThat(tracer.spans()).singleElement().matches(Recorded::isEnded);
  }

  @Test
  void whatIsNotTracedHasNoSpan() {
    local.handle(READ, local.epoch(), loop, replies::add);
    assertThat(replies).hasSize(1);
    assertThat(tracer.spans()).isEmpty();
  }

  @Test
  void withoutATracerThePeerIsAskedUnderTheContextThatCameIn() {
    ScriptedTransport transport = new ScriptedTransport();
    Replicas replicas =
        new Replicas(SELF, local(Tracer.NONE), transport, new MemoryHints(), loop, loop::nanoTime);
    ReplicaRequest traced = READ.within(PARENT);
    replicas.ask(PEER, traced, loop.nanoTime() + 1_000_000, replies::add);
    assertThat(transport.sent(PEER)).containsExactly(traced);
  }
}
