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
import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.ChecksumVerifier.Place;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import dev.kvorum.virtualtime.VirtualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicasTest {
  private static final MemberId SELF = new MemberId("self");
  private static final MemberId PEER = new MemberId("peer");
  private static final ReplicaRequest READ = new ReplicaRequest.Read(Key.of("k"), Detail.VERSION);
  private static final ReplicaReply ABSENT = new ReplicaReply.ReadReply(ReadResult.Absent.ABSENT);
  private static final ReplicaReply TIMED_OUT = new ReplicaReply.Failed(RejectReason.TIMED_OUT);

  private final VirtualLoop loop = new VirtualLoop();
  private final MemoryStore store = new MemoryStore();
  private final ScriptedTransport transport = new ScriptedTransport();
  private final HybridLogicalClock clock =
      new HybridLogicalClock(loop.wallClock(0), Duration.ofMillis(500), 1, 0);
  private final LocalReplica local = new LocalReplica(store, clock, Wire.member(SELF).topology());
  private final Replicas replicas =
      new Replicas(SELF, local, transport, new MemoryHints(), loop, loop::nanoTime);
  private final List<ReplicaReply> replies = new ArrayList<>();

  private Transport.Call ask(MemberId to, ReplicaRequest request, long millis) {
    return replicas.ask(to, request, loop.nanoTime() + millis * 1_000_000, replies::add);
  }

  @Test
  void asksItselfWithoutTheTransport() {
    ask(SELF, READ, 100);
    assertThat(replies).containsExactly(ABSENT);
    assertThat(transport.sent(SELF)).isEmpty();
  }

  @Test
  void isNeverSuspectOfItself() {
    transport.suspect(SELF);
    transport.suspect(PEER);
    assertThat(replicas.isSuspect(PEER)).isTrue();
    assertThat(replicas.isSuspect(SELF)).isFalse();
  }

  @Test
  void tellsThePeerHowMuchTimeIsLeft() {
    ask(PEER, READ, 100);
    assertThat(transport.only(PEER).timeoutMillis()).isEqualTo(100);
  }

  @Test
  void everyRequestEndsAtItsOwnDeadlineWhateverTheOrderOfAsking() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    int[] late = {0};
    int[] ended = {0};
    for (int i = 0; i < 500; i++) {
      long deadline = loop.nanoTime() + random.nextLong(1_000_000_000);
      replicas.ask(
          PEER,
          READ,
          deadline,
          reply -> {
            assertThat(reply).isEqualTo(TIMED_OUT);
            ended[0]++;
            late[0] += loop.nanoTime() - deadline > 10_000_000 ? 1 : 0;
            assertThat(loop.nanoTime() - deadline).as("seed %d", seed).isNotNegative();
          });
    }
    for (int millis = 0; millis < 1100; millis += 10) {
      loop.advance(Duration.ofMillis(10));
      replicas.sweep();
    }
    assertThat(ended[0]).as("seed %d", seed).isEqualTo(500);
    assertThat(late[0]).as("seed %d, more than one sweep late", seed).isZero();
    assertThat(transport.open(PEER)).allMatch(ScriptedTransport.Ask::isCancelled);
  }

  private static Mutation put(String key) {
    Versioned value = Versioned.live(new Version(1, 1), Versioned.NEVER, 3, new byte[] {1, 2});
    return new Mutation(Key.of(key), value);
  }

  private static Mutation changed(Mutation sound) {
    sound.record().value()[1] ^= 4;
    return sound;
  }

  private static ReplicaReply found(Mutation record) {
    return new ReplicaReply.ReadReply(new ReadResult.Found(record.record()));
  }

  @Test
  void aRecordThatDoesNotMatchItsChecksumIsNoReply() {
    ask(PEER, READ, 100);
    transport.only(PEER).reply(found(changed(put("k"))));
    assertThat(replies).containsExactly(ReplicaReply.MISMATCH);
    assertThat(local.verifier().mismatches(Place.REPLY)).isEqualTo(1);
    ask(PEER, READ, 100);
    transport.only(PEER).reply(found(put("k")));
    assertThat(replies).last().isEqualTo(found(put("k")));
  }

  @Test
  void theRecordOfAnotherKeyIsNoReply() {
    ask(PEER, READ, 100);
    transport.only(PEER).reply(found(put("l")));
    assertThat(replies).containsExactly(ReplicaReply.MISMATCH);
  }

  @Test
  void aPageWithARecordThatDoesNotMatchItsChecksumIsNoReply() {
    List<Mutation> page = List.of(put("a"), changed(put("b")));
    ask(PEER, new RepairRequest.Copy(SELF, Optional.empty()), 100);
    transport.only(PEER).reply(new ReplicaReply.Page(page, Optional.empty()));
    ask(PEER, TransferRequest.AskTopology.ASK_TOPOLOGY, 100);
    transport.only(PEER).reply(new TransferReply.Gained(page, Optional.empty(), RecordSum.NONE));
    assertThat(replies).containsExactly(ReplicaReply.MISMATCH, ReplicaReply.MISMATCH);
  }

  @Test
  void whatDoesNotMatchItsChecksumIsRejectedAndNotStored() {
    ask(SELF, new ReplicaRequest.Write(changed(put("k"))), 100);
    assertThat(replies).containsExactly(ReplicaReply.MISMATCH);
    assertThat(store.keys()).isEmpty();
    assertThat(local.verifier().mismatches(Place.WRITE)).isEqualTo(1);
    ask(SELF, new ReplicaRequest.Write(put("k")), 100);
    assertThat(store.keys()).containsExactly(Key.of("k"));
  }

  @Test
  void keepsNothingOfARequestThatHasEndedWhileAnEarlierOneIsOpen() {
    ask(SELF, READ, 100);
    assertThat(replicas.isIdle()).as("answered from memory").isTrue();
    Transport.Call first = ask(PEER, READ, 100);
    ask(PEER, new ReplicaRequest.Write(put("k")), 100);
    ask(PEER, new ReplicaRequest.Write(put("l")), 50).cancel();
    transport.open(PEER).get(1).reply(ABSENT);
    assertThat(replicas.isIdle()).isFalse();
    first.cancel();
    assertThat(replicas.isIdle()).isTrue();
  }

  @Test
  void anAnswerAfterTheDeadlineIsIgnored() {
    ask(PEER, READ, 100);
    loop.advance(Duration.ofMillis(100));
    replicas.sweep();
    assertThat(replies).containsExactly(TIMED_OUT);
    transport.only(PEER).reply(ABSENT);
    assertThat(replies).hasSize(1);
  }

  @Test
  void aCancelledRequestIsNeverAnsweredAndThePeerIsNotified() {
    Transport.Call call = ask(PEER, READ, 100);
    call.cancel();
    assertThat(transport.only(PEER).isCancelled()).isTrue();
    transport.only(PEER).reply(ABSENT);
    loop.advance(Duration.ofMillis(200));
    replicas.sweep();
    assertThat(replies).isEmpty();
  }

  @Test
  void aWriteFromABrokenClockIsRejectedAndMovesNothing() {
    long tooFar = clock.wallMillis() + 501;
    Versioned record = Versioned.tombstone(new Version(tooFar << 16, 1), 1);
    ask(SELF, new ReplicaRequest.Write(new Mutation(Key.of("k"), record)), 100);
    assertThat(replies)
        .containsExactly(
            new ReplicaReply.WriteReply(new WriteResult.Rejected(RejectReason.CLOCK_AHEAD)));
    assertThat(store.get(Key.of("k"))).isEmpty();
  }

  @Test
  void aWriteOfAClockThatRunsAheadLiftsTheOwnClock() {
    Version ahead = new Version(Version.stampOf(clock.wallMillis() + 400), 1);
    Mutation write = new Mutation(Key.of("k"), Versioned.tombstone(ahead, 1));
    ask(SELF, new ReplicaRequest.Write(write), 100);
    clock.reservedUpTo(1L << 47);
    assertThat(clock.next()).isGreaterThan(ahead);
  }

  @Test
  void hintsDeliveredOnAnotherLoopAreReportedOnTheAskersLoop() {
    List<Runnable> othersWork = new ArrayList<>();
    ReplicaReply delivered = new ReplicaReply.HintsDelivered(3, 4);
    local.serve(delivering((target, waiter) -> othersWork.add(() -> waiter.reply(delivered))));
    ask(SELF, new ReplicaRequest.PullHints(PEER), 100);
    othersWork.getFirst().run();
    assertThat(replies).as("answers given on the loop of the hints").isEmpty();
    loop.runReady();
    assertThat(replies).containsExactly(delivered);
  }

  /** Services of a replica that delivers hints and has no other background work. */
  static ReplicaServices delivering(HintDelivery hints) {
    ReplicaServices none = ReplicaServices.NONE;
    return new ReplicaServices(hints, none.repair(), none.transfers(), none.votes(), none.writes());
  }
}
