package dev.kvorum.hints;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.VirtualMember;
import dev.kvorum.rpc.MemoryHints;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.rpc.ScriptedTransport;
import dev.kvorum.rpc.ScriptedTransport.Ask;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.virtualtime.VirtualLoop;
import java.time.Duration;
import java.util.List;

/** Handoff on a virtual loop; the test plays the members that get the hints. */
final class HandoffHarness {
  static final MemberId SELF = new MemberId("self");
  static final MemberId AWAY = new MemberId("away");
  static final ReplicaReply STORED = new ReplicaReply.WriteReply(WriteResult.Stored.STORED);
  static final ReplicaReply UNREACHABLE = new ReplicaReply.Failed(RejectReason.UNREACHABLE);
  static final int PAGE = 3;
  private static final Layout LAYOUT =
      Layout.of(
          Topology.stable(
              "bench",
              1,
              List.of(
                  new Member(SELF, "", MemberState.ACTIVE),
                  new Member(AWAY, "", MemberState.ACTIVE))));

  final ScriptedTransport transport = new ScriptedTransport();
  final VirtualMember member =
      new VirtualMember(SELF, LAYOUT.topology(), new VirtualLoop(), new MemoryStore(), transport);
  final VirtualLoop loop = member.loop;
  final MemoryHints hints = member.hints;
  final HintedHandoff handoff;

  HandoffHarness(long bytesPerSecond) {
    BackgroundContext context =
        member.background(
            () -> LAYOUT,
            List.of(AWAY),
            new RemoteClockMonitor(
                member.clock, VirtualMember.OFFSET_MAX, loop::nanoTime, List::of));
    handoff =
        new HintedHandoff(
            context,
            TestSettings.of(
                HintSettings.class,
                "page-max=" + PAGE,
                "rate-max=" + bytesPerSecond,
                "age-max=1h",
                "interval=1s"),
            VirtualMember.OFFSET_MAX,
            hints,
            loop);
  }

  /** A hint that is this old. */
  Mutation keep(MemberId target, Duration age) {
    long millis = loop.wallClock(0).millis() - age.toMillis();
    Mutation mutation =
        new Mutation(
            Key.of("key " + hints.count(target)),
            Versioned.live(new Version(millis << 16, 1), Versioned.NEVER, 3, new byte[840]));
    hints.keep(target, mutation);
    return mutation;
  }

  List<Mutation> sent() {
    return transport.sent(AWAY).stream()
        .map(request -> ((ReplicaRequest.Write) request).mutation())
        .toList();
  }

  void answerAll(ReplicaReply reply) {
    for (Ask ask : transport.open(AWAY)) {
      ask.reply(reply);
    }
  }
}
