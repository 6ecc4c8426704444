package dev.kvorum.rebalance;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.MemberRecords;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.RecordSum;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.ReplicaServices;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest.CopyGained;
import dev.kvorum.replica.VirtualMember;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.rpc.ScriptedTransport;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import dev.kvorum.virtualtime.VirtualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The member {@code m3} of four, whose others are played by the test. */
final class RebalanceHarness {
  static final MemberId SELF = new MemberId("m3");
  static final List<MemberId> OTHERS = Stream.of("m0", "m1", "m2").map(MemberId::new).toList();
  static final MemberId JOINER = new MemberId("m4");

  final VirtualLoop loop = new VirtualLoop();
  final MemoryStore store =
      new MemoryStore() {
        @Override
        public void scan(
            KeyRange range,
            KeyOrder order,
            Detail detail,
            ScanLimits limits,
            Executor its,
            Waiter<ScanResult> waiter) {
          atScan.run();
          super.scan(range, order, detail, limits, its, waiter);
        }
      };
  final ScriptedTransport network = new ScriptedTransport();
  boolean complete = true;
  Runnable atScan = () -> {};
  private @Nullable Layout planned;
  private @Nullable Replicas asked;

  /** A process of this member on what is on its disk; the one before it is forgotten. */
  Rebalance start(Layout layout) {
    planned = layout;
    VirtualMember member = new VirtualMember(SELF, layout.topology(), loop, store, network);
    BackgroundContext context =
        member.background(
            () -> Objects.requireNonNull(planned),
            OTHERS,
            new RemoteClockMonitor(
                member.clock, VirtualMember.OFFSET_MAX, loop::nanoTime, List::of));
    RebalanceSettings settings =
        TestSettings.of(
            RebalanceSettings.class,
            "rate-max=1MB",
            "latency-max=100ms",
            "page-records-max=16",
            "page-max=64KB",
            "window=1",
            "timeout=3s");
    Rebalance rebalance =
        new Rebalance(context, settings, new Records(new StreamReceiver(context, stamp -> {})));
    ReplicaServices none = ReplicaServices.NONE;
    member.local.serve(
        new ReplicaServices(
            none.hints(),
            none.repair(),
            rebalance.source(),
            none.votes(),
            rebalance.writeListener()));
    rebalance.start(layout);
    asked = member.replicas;
    return rebalance;
  }

  /** All records that this member had before, if it is complete. */
  private final class Records implements MemberRecords {
    private final StreamReceiver receiver;

    Records(StreamReceiver receiver) {
      this.receiver = receiver;
    }

    @Override
    public StreamReceiver receiver() {
      return receiver;
    }

    @Override
    public boolean hasAll() {
      return complete;
    }

    @Override
    public boolean handsOn() {
      return complete;
    }

    @Override
    public void contacted(MemberId member) {}

    @Override
    public void filledSince(long millis, Runnable next) {
      next.run();
    }
  }

  /** This node plans by a layout from now on; its rebalance follows later. */
  void plan(Layout layout) {
    planned = layout;
  }

  /** Lets a coordinator write to this member. */
  void write(Mutation mutation) {
    ask(new ReplicaRequest.Write(mutation));
  }

  /** What this member sends to the joining member. */
  List<Mutation> sent(long epoch, long since) {
    List<Mutation> sent = new ArrayList<>();
    ReplicaReply reply =
        ask(new CopyGained(JOINER, epoch, since, Optional.empty(), RecordSum.NONE));
    if (reply instanceof TransferReply.Gained page) {
      sent.addAll(page.records());
    }
    return sent;
  }

  private ReplicaReply ask(ReplicaRequest request) {
    List<ReplicaReply> replies = new ArrayList<>();
    long deadline = loop.nanoTime() + 1_000_000_000L;
    Objects.requireNonNull(asked).ask(SELF, request, 9, deadline, replies::add);
    loop.advance(Duration.ofMillis(500));
    return replies.getFirst();
  }

  /** {@code m4} joins all the others. */
  static Layout growing(long epoch, Phase phase) {
    List<Member> members = new ArrayList<>(layout(1, Phase.STABLE).topology().members());
    if (phase != Phase.STABLE) {
      members.add(new Member(JOINER, "", MemberState.JOINING));
    }
    return Layout.of(new Topology("bench", epoch, phase, members));
  }

  /** {@code m3} joins the others, or has joined them. */
  static Layout layout(long epoch, Phase phase) {
    MemberState last = phase == Phase.STABLE ? MemberState.ACTIVE : MemberState.JOINING;
    List<Member> members =
        Stream.concat(
                OTHERS.stream().map(id -> new Member(id, "", MemberState.ACTIVE)),
                Stream.of(new Member(SELF, "", last)))
            .toList();
    return Layout.of(new Topology("bench", epoch, phase, members));
  }

  /** A record with one copy. */
  Mutation record(int number) {
    return record(number, 1);
  }

  /** A record that every member keeps. */
  Mutation kept(int number) {
    return record(number, OTHERS.size() + 1);
  }

  /** A record with four copies from a clock that was behind, by so much. */
  Mutation late(int number, Duration behind) {
    long stamp = (loop.wallClock(0).millis() - behind.toMillis()) << 16 | number;
    return record(number, OTHERS.size() + 1, stamp);
  }

  private Mutation record(int number, int from) {
    return record(number, from, loop.wallClock(0).millis() << 16 | number);
  }

  private static Mutation record(int number, int from, long stamp) {
    return new Mutation(
        Key.of("key " + number), Versioned.live(new Version(stamp, 1), 0, from, new byte[10]));
  }
}
