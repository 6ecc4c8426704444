package dev.kvorum.coordinator;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.VirtualMember;
import dev.kvorum.rpc.MemoryHints;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.rpc.ScriptedTransport;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.tracing.RecordingTracer;
import dev.kvorum.tracing.TraceContext;
import dev.kvorum.virtualtime.VirtualLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator on a virtual loop. Its own replica is the first in the key's preference list; the
 * test plays the others.
 */
final class CoordinatorHarness {
  static final Key KEY = Key.of("k");
  static final Duration TIMEOUT = Duration.ofSeconds(1);
  static final Duration PAUSE_MAX = Duration.ofSeconds(2);
  static final ReplicaReply STORED = new ReplicaReply.WriteReply(WriteResult.Stored.STORED);
  static final ReplicaReply UNREACHABLE = new ReplicaReply.Failed(RejectReason.UNREACHABLE);
  static final ReplicaReply ABSENT = new ReplicaReply.ReadReply(ReadResult.Absent.ABSENT);

  private static final Map<Integer, Layout> LAYOUTS = new ConcurrentHashMap<>();

  final ScriptedTransport transport = new ScriptedTransport();
  final VirtualMember member;
  final VirtualLoop loop = new VirtualLoop();
  final MemoryStore store = new MemoryStore();
  final MemoryHints hints;
  final HybridLogicalClock clock;
  final CurrentTopology topology;
  final RecordingTracer tracer;
  Layout layout;

  /** What the requests that are begun from here on are a part of. */
  @Nullable TraceContext trace;

  final Coordinator coordinator;
  final MemberId self;
  final List<MemberId> others;
  final List<WriteOutcome> writes = new ArrayList<>();
  final List<ReadOutcome> reads = new ArrayList<>();
  int finished;

  CoordinatorHarness(int members) {
    this(members, 1);
  }

  CoordinatorHarness(int members, double hedgesPerRead) {
    layout = LAYOUTS.computeIfAbsent(members, CoordinatorHarness::layout);
    List<MemberId> list = layout.before().preferenceList(KEY).replicas(members);
    self = list.getFirst();
    others = list.subList(1, members);
    member = new VirtualMember(self, layout.topology(), loop, store, transport);
    hints = member.hints;
    clock = member.clock;
    topology = member.topology;
    tracer = member.tracer;
    coordinator =
        new Coordinator(
            new CoordinatorSettings(3, TIMEOUT, hedgesPerRead, PAUSE_MAX),
            () -> layout,
            member.replicas,
            clock,
            loop,
            member.meters);
  }

  /** Members whose names follow each other as the key's preference list does, as reads ask them. */
  private static Layout layout(int members) {
    return IntStream.range(0, 10_000)
        .mapToObj(attempt -> named("a" + attempt + "-", members))
        .filter(made -> isInOrderOfNames(made.before().preferenceList(KEY).replicas(members)))
        .findFirst()
        .orElseThrow();
  }

  private static Layout named(String prefix, int members) {
    return Layout.of(
        Topology.stable(
            "bench",
            1,
            IntStream.range(0, members)
                .mapToObj(i -> new Member(new MemberId(prefix + i), "", MemberState.ACTIVE))
                .toList()));
  }

  private static boolean isInOrderOfNames(List<MemberId> list) {
    return list.equals(list.stream().sorted().toList());
  }

  void write(int ack, int from, Change change) {
    coordinator
        .write(KEY, new Quorum(ack, from), change, trace, () -> finished++)
        .subscribe(writes::add);
  }

  void put(int ack, int from, String value) {
    write(ack, from, new Change.Put(value.getBytes(StandardCharsets.UTF_8), 0));
  }

  void read(int ack, int from) {
    coordinator.read(KEY, new Quorum(ack, from), trace, bytes -> true).subscribe(reads::add);
  }

  /** A version this much off the wall clock, from another writer. */
  Version version(long offsetMillis) {
    return new Version((clock.wallMillis() + offsetMillis) << 16, 99);
  }

  Versioned record(long offsetMillis) {
    return Versioned.live(version(offsetMillis), Versioned.NEVER, 3, new byte[] {1});
  }

  static ReplicaReply superseded(Version by) {
    return new ReplicaReply.WriteReply(new WriteResult.Superseded(by));
  }

  static ReplicaReply found(Versioned record) {
    return new ReplicaReply.ReadReply(new ReadResult.Found(record.sealed(KEY)));
  }

  static ReplicaReply foundVersion(Version version) {
    return new ReplicaReply.ReadReply(new ReadResult.FoundVersion(version));
  }

  static Versioned written(ReplicaRequest request) {
    return ((ReplicaRequest.Write) request.untraced()).mutation().record();
  }
}
