package dev.kvorum.rpc;

import static dev.kvorum.rpc.Wire.B;
import static dev.kvorum.rpc.Wire.TIMEOUT;
import static dev.kvorum.rpc.Wire.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.ReadResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NettyTransportTest {
  private static final ReplicaReply ABSENT = new ReplicaReply.ReadReply(ReadResult.Absent.ABSENT);
  private static final ReplicaReply UNREACHABLE = new ReplicaReply.Failed(RejectReason.UNREACHABLE);

  private final Wire wire = new Wire();
  private final HeldStore held = new HeldStore();

  @AfterEach
  void close() {
    wire.close();
  }

  private List<HeldStore.Held> awaitHeld(int count) {
    await().atMost(TIMEOUT).until(() -> held.held.size() == count);
    return held.held;
  }

  @Test
  void carriesRequestsAndReplies() {
    MemoryStore store = new MemoryStore();
    wire.serve(store);
    NettyTransport transport = wire.connect();
    Versioned record = Versioned.live(new Version(5, -1), Versioned.NEVER, 3, new byte[] {1, 2, 3});
    Mutation write = new Mutation(Key.of("k"), record);
    assertThat(wire.ask(transport, new ReplicaRequest.Write(write)))
        .succeedsWithin(TIMEOUT)
        .isEqualTo(ReplicaReply.WriteReply.STORED);
    assertThat(wire.ask(transport, read("k")))
        .succeedsWithin(TIMEOUT)
        .isEqualTo(new ReplicaReply.ReadReply(new ReadResult.Found(record)));
    assertThat(wire.ask(transport, new ReplicaRequest.PullHints(B)))
        .succeedsWithin(TIMEOUT)
        .isEqualTo(new ReplicaReply.HintsDelivered(0, 0));
  }

  @Test
  void manyRequestsAreUnderWayAtOnceAndEachGetsItsOwnReply() {
    wire.serve(held);
    NettyTransport transport = wire.connect();
    List<CompletableFuture<ReplicaReply>> replies = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      replies.add(wire.ask(transport, read("key " + i)));
    }
    List<HeldStore.Held> shuffled = new ArrayList<>(awaitHeld(1000));
    long seed = Seeds.seed();
    Collections.shuffle(shuffled, new Random(seed));
    for (HeldStore.Held one : shuffled) {
      int number = Integer.parseInt(one.key().toString().substring(4));
      one.reply(new ReadResult.FoundVersion(new Version(number, 0)));
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(replies.get(i))
          .as("seed %d", seed)
          .succeedsWithin(TIMEOUT)
          .isEqualTo(new ReplicaReply.ReadReply(new ReadResult.FoundVersion(new Version(i, 0))));
    }
  }

  @Test
  void aCancelReachesTheReplica() throws Exception {
    wire.serve(held);
    NettyTransport transport = wire.connect();
    Transport.Call call = wire.onLoop(() -> transport.ask(B, read("k"), 1, 60_000, reply -> {}));
    HeldStore.Held one = awaitHeld(1).getFirst();
    assertThat(one.waiter().isWaiting()).isTrue();
    wire.loop.execute(call::cancel);
    await().atMost(TIMEOUT).until(() -> !one.waiter().isWaiting());
    one.reply(ReadResult.Absent.ABSENT);
    CompletableFuture<ReplicaReply> next = wire.ask(transport, read("l"));
    awaitHeld(2).getLast().reply(ReadResult.Absent.ABSENT);
    assertThat(next).succeedsWithin(TIMEOUT).isEqualTo(ABSENT);
  }

  @Test
  void theDeadlineTravelsWithTheRequest() {
    wire.serve(held);
    NettyTransport transport = wire.connect();
    wire.ask(transport, read("short"), 50);
    wire.ask(transport, read("long"), 60_000);
    awaitHeld(2);
    await().atMost(TIMEOUT).until(() -> !held.held.getFirst().waiter().isWaiting());
    assertThat(held.held.getLast().waiter().isWaiting()).isTrue();
  }

  @Test
  void whatIsUnderWayWhenThePeerGoesIsUnreachableAtOnce() {
    RpcServer server = wire.serve(held);
    NettyTransport transport = wire.connect();
    List<CompletableFuture<ReplicaReply>> replies = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      replies.add(wire.ask(transport, read("key " + i)));
    }
    awaitHeld(10);
    server.close();
    for (CompletableFuture<ReplicaReply> reply : replies) {
      assertThat(reply).succeedsWithin(TIMEOUT).isEqualTo(UNREACHABLE);
    }
    await().atMost(TIMEOUT).until(() -> wire.onLoop(() -> transport.isSuspect(B)));
    held.held.forEach(one -> assertThat(one.waiter().isWaiting()).isFalse());
  }

  @Test
  void aRejectedConnectionIsKnownAtOnce() throws Exception {
    wire.serve(held).close();
    NettyTransport transport = wire.dial();
    await().atMost(TIMEOUT).until(() -> transport.isKnown(B));
    List<ReplicaReply> inline =
        wire.onLoop(() -> {
          List<ReplicaReply> replies = new ArrayList<>();
          transport.ask(B, read("k"), 1, 60_000, replies::add);
          return replies;
        });
    assertThat(inline).containsExactly(UNREACHABLE);
    assertThat(wire.onLoop(() -> transport.isSuspect(B))).isTrue();
  }

  @Test
  void connectsAgainWhenThePeerIsBack() {
    RpcServer first = wire.serve(new MemoryStore());
    NettyTransport transport = wire.connect();
    first.close();
    await().atMost(TIMEOUT).until(() -> wire.onLoop(() -> !transport.isConnected(B)));
    wire.serve(first.port(), Wire.handshakes(Wire.member(B)), new MemoryStore(), Wire.settings());
    wire.awaitConnected(transport);
    assertThat(wire.ask(transport, read("k"))).succeedsWithin(TIMEOUT).isEqualTo(ABSENT);
  }

  @Test
  void connectsToWhereAMemberIsNowAndNotToWhereItWas() {
    RpcServer first = wire.serve(new MemoryStore());
    NettyTransport transport = wire.connect();
    RpcServer moved = wire.serve(held);
    assertThat(moved.port()).isNotEqualTo(first.port());
    first.close();
    await()
        .atMost(TIMEOUT)
        .until(() -> {
          wire.ask(transport, read("k"));
          return !held.held.isEmpty();
        });
  }

  @Test
  void moreThanTheBoundOfRequestsUnderWayIsOverload() {
    wire.serve(held);
    NettyTransport transport = wire.dial(Wire.member(Wire.A), Wire.settings(3, 1 << 20));
    wire.awaitConnected(transport);
    for (int i = 0; i < 3; i++) {
      wire.ask(transport, read("key " + i));
    }
    ReplicaReply overloaded = new ReplicaReply.Failed(RejectReason.OVERLOADED);
    assertThat(wire.ask(transport, read("one too many")))
        .succeedsWithin(TIMEOUT)
        .isEqualTo(overloaded);
    awaitHeld(3).getFirst().reply(ReadResult.Absent.ABSENT);
    await()
        .atMost(TIMEOUT)
        .until(() -> {
          wire.ask(transport, read("again"));
          return held.held.size() > 3;
        });
  }

  @Test
  void theReplicaBoundsWhatItWorksOnToo() {
    wire.serve(Wire.member(B), held, Wire.settings(3, 1 << 20));
    NettyTransport transport = wire.connect();
    for (int i = 0; i < 3; i++) {
      wire.ask(transport, read("key " + i));
    }
    assertThat(wire.ask(transport, read("one too many")))
        .succeedsWithin(TIMEOUT)
        .isEqualTo(new ReplicaReply.Failed(RejectReason.OVERLOADED));
  }

  @Test
  void nodesOfDifferentEpochsTalkButDoNotServeEachOther() {
    wire.serve(
        Wire.member(B, Wire.topology("kvorum", 2, "a", "b")), new MemoryStore(), Wire.settings());
    NettyTransport transport = wire.connect();
    assertThat(wire.ask(transport, read("k")))
        .succeedsWithin(TIMEOUT)
        .isEqualTo(new ReplicaReply.Failed(RejectReason.STALE_EPOCH));
  }

  @Test
  void learnsThatItsClockIsAhead() {
    wire.serve(held);
    wire.clock.reservedUpTo(Long.MAX_VALUE);
    assertThat(wire.clock.next()).isNotNull();
    wire.connect();
    await().atMost(TIMEOUT).until(() -> wire.clock.next() == null);
    assertThat(Duration.ofMillis(wire.clocks.offsetMillis()))
        .isCloseTo(Wire.AHEAD, Duration.ofSeconds(5));
  }

  @Test
  void learnsHowLongAReadTakes() throws Exception {
    wire.serve(new MemoryStore());
    NettyTransport transport = wire.connect();
    long before = wire.onLoop(() -> transport.slowReadNanos(B));
    await()
        .atMost(TIMEOUT)
        .until(() -> {
          for (int i = 0; i < 100; i++) {
            wire.ask(transport, read("k"));
          }
          return wire.onLoop(() -> transport.slowReadNanos(B)) < before / 2;
        });
  }
}
