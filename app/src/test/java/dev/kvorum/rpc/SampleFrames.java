package dev.kvorum.rpc;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.RecordSum;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import dev.kvorum.tracing.TraceContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A request or reply of every kind, the same in each run. */
final class SampleFrames {
  private static final MemberId N1 = new MemberId("kvorum-1");
  private static final MemberId N2 = new MemberId("kvorum-2");
  private static final Key KEY = Key.of("fruit:äpfel");
  private static final Optional<Key> NEXT = Optional.of(Key.of("fruit:x"));
  private static final Version VERSION = new Version(0x0123_4567_89ab_cdefL, 0x1020_3040);
  private static final Versioned LIVE =
      Versioned.live(VERSION, 1_800_000_000_000L, 3, "hello".getBytes(StandardCharsets.UTF_8))
          .sealed(KEY);
  private static final Versioned TOMBSTONE = Versioned.tombstone(VERSION, 5).sealed(KEY);
  private static final List<Mutation> PAGE =
      List.of(new Mutation(KEY, LIVE), new Mutation(Key.of("fruit:b"), TOMBSTONE));
  private static final RecordSum SUM = new RecordSum(2, 0x1122_3344_5566_7788L);
  private static final ReplicaRequest READ = new ReplicaRequest.Read(KEY, Detail.RECORD);

  static final Topology TOPOLOGY =
      new Topology(
          "c-1",
          7,
          Phase.TRANSFERRING,
          List.of(
              new Member(new MemberId("kvorum-0"), "a", MemberState.ACTIVE, "a"),
              new Member(N1, "b", MemberState.MOVING, "c"),
              new Member(N2, "", MemberState.JOINING, "")));

  private SampleFrames() {}

  static List<ReplicaRequest> requests() {
    return List.of(
        READ,
        new ReplicaRequest.Read(KEY, Detail.VERSION),
        new ReplicaRequest.Write(new Mutation(KEY, LIVE)),
        new ReplicaRequest.Write(new Mutation(KEY, TOMBSTONE)),
        new ReplicaRequest.PullHints(N1),
        new ReplicaRequest.Scan(
            new KeyRange(NEXT, false, Optional.empty()), KeyOrder.ASCENDING, new ScanLimits(9, 99)),
        new ReplicaRequest.Scan(KeyRange.ALL, KeyOrder.DESCENDING, new ScanLimits(9, 99)),
        READ.within(new TraceContext(1, 2, 3, true)),
        new RepairRequest.AskStatus(N1, 17),
        new RepairRequest.Copy(N1, NEXT),
        new RepairRequest.CompareDigests(N1, 18, 2, new int[] {1, 2, 3}),
        new RepairRequest.WantLeaves(N1, 19, 3, new int[] {4}),
        new RepairRequest.ListWanted(N1, 20, Optional.empty()),
        new RepairRequest.Pulled(N1, 21),
        new RepairRequest.AskCertain(List.of(KeyRange.ALL, KeyRange.only(KEY))),
        TransferRequest.AskTopology.ASK_TOPOLOGY,
        new TransferRequest.CopyGained(N2, 7, 22, NEXT, SUM));
  }

  static List<ReplicaReply> replies() {
    return List.of(
        new ReplicaReply.ReadReply(new ReadResult.Found(LIVE)),
        new ReplicaReply.ReadReply(new ReadResult.Found(TOMBSTONE)),
        new ReplicaReply.ReadReply(new ReadResult.FoundVersion(VERSION)),
        new ReplicaReply.ReadReply(ReadResult.Absent.ABSENT),
        new ReplicaReply.ReadReply(new ReadResult.Unknown(RejectReason.DATA_LOST)),
        ReplicaReply.WriteReply.STORED,
        new ReplicaReply.WriteReply(new WriteResult.Superseded(VERSION)),
        new ReplicaReply.WriteReply(new WriteResult.Rejected(RejectReason.DISK_FULL)),
        new ReplicaReply.HintsDelivered(4, 40),
        ReplicaReply.STALE_EPOCH,
        new ReplicaReply.Page(PAGE, NEXT),
        new RepairReply.Status(true, false, true, false, true, 23, 24, 25),
        new RepairReply.Digests(new int[] {5, -6}),
        new RepairReply.CutMoved(26),
        new RepairReply.Listed(
            List.of(
                new RepairReply.Held(KEY, VERSION, 3, false, 77),
                new RepairReply.Held(Key.of("fruit:b"), VERSION, 5, true, -78)),
            NEXT),
        RepairReply.Done.DONE,
        new RepairReply.Certain(List.of(true, false)),
        new TransferReply.Known(TOPOLOGY),
        new TransferReply.Gained(PAGE, Optional.empty(), SUM));
  }
}
