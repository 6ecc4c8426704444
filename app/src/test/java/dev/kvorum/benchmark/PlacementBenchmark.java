package dev.kvorum.benchmark;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.rpc.FrameBytes;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What placement, topologies and readings of peers' clocks cost a node of a cluster of so many
 * members: in one zone and in three, and while the last member joins ({@code docs/capacity.md}).
 */
final class PlacementBenchmark {
  private static final int COPIES = 3;
  private static final int ROUNDS = 5;
  private static final int KEPT = 8;
  private static final int LOOKUPS = 5_000_000;
  private static final int READINGS_PER_PEER = 3000;
  private static final Key[] KEYS = keys();

  private PlacementBenchmark() {}

  /**
   * Measures; the best of some rounds counts.
   *
   * @param arguments numbers of members, at least 2
   */
  public static void main(String[] arguments) {
    System.out.println(
        "| members | zones | change | layout ms | next layout ms | lookup ns | layout KiB"
            + " | frame bytes | clock reading µs |");
    System.out.println("|--:|--:|---|--:|--:|--:|--:|--:|--:|");
    // What is loaded and freed meanwhile would count as the first row's.
    heapBytes(topology(10, 3, true));
    for (String argument : arguments) {
      int members = Integer.parseInt(argument);
      for (int zones : new int[] {1, 3}) {
        measure(topology(members, zones, false));
        measure(topology(members, zones, true));
      }
    }
  }

  private static void measure(Topology topology) {
    Layout before = Layout.of(stable(topology));
    double fresh = bestMillis(() -> Layout.of(topology));
    double next = bestMillis(() -> before.next(topology));
    Layout layout = Layout.of(topology);
    System.out.printf(
        "| %d | %d | %s | %.1f | %.1f | %.0f | %d | %d | %.2f |%n",
        topology.members().size(),
        topology.members().stream().map(Member::zone).distinct().count(),
        topology.phase() == Phase.STABLE ? "none" : "the last one joins",
        fresh,
        next,
        lookupNanos(layout),
        heapBytes(topology) >> 10,
        FrameBytes.of(new TransferReply.Known(topology)),
        readingMicros(topology));
  }

  private static Topology topology(int members, int zones, boolean joins) {
    List<Member> all = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      boolean joining = joins && i == members - 1;
      all.add(
          new Member(
              new MemberId("kvorum-" + i),
              "eu-central-1" + (char) ('a' + i % zones),
              joining ? MemberState.JOINING : MemberState.ACTIVE));
    }
    return new Topology("kvorum", 2, joins ? Phase.TRANSFERRING : Phase.STABLE, all);
  }

  /** The topology before the change; of one without a change, all members but the last one. */
  private static Topology stable(Topology topology) {
    List<Member> rest = topology.before();
    int kept = topology.phase() == Phase.STABLE ? rest.size() - 1 : rest.size();
    return Topology.stable("kvorum", 1, rest.subList(0, kept));
  }

  private static double bestMillis(Runnable work) {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long begun = System.nanoTime();
      work.run();
      best = Math.min(best, (System.nanoTime() - begun) / 1e6);
    }
    return best;
  }

  private static double lookupNanos(Layout layout) {
    // The result is used, so that the loop is not optimized away.
    double best =
        bestMillis(() -> {
          if (lookups(layout) < LOOKUPS) {
            throw new AssertionError("a key has no replica");
          }
        });
    return best * 1e6 / LOOKUPS;
  }

  private static int lookups(Layout layout) {
    int replicas = 0;
    for (int i = 0; i < LOOKUPS; i++) {
      replicas += layout.writes(KEYS[i & (KEYS.length - 1)], COPIES).size();
    }
    return replicas;
  }

  private static Key[] keys() {
    Key[] keys = new Key[1 << 16];
    Arrays.setAll(keys, i -> Key.of("k%010d".formatted(i)));
    return keys;
  }

  private static long heapBytes(Topology topology) {
    Layout[] kept = new Layout[KEPT];
    long before = usedBytes();
    Arrays.setAll(kept, i -> Layout.of(topology));
    long used = usedBytes() - before;
    if (kept[KEPT - 1].epoch() != topology.epoch()) {
      throw new AssertionError("another epoch");
    }
    return used / KEPT;
  }

  private static long usedBytes() {
    // Only every fourth collection of the serial collector frees all that is unused.
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** A reply to a heartbeat, of each peer in turn. */
  private static double readingMicros(Topology topology) {
    List<MemberId> peers = topology.members().stream().skip(1).map(Member::id).toList();
    Duration offset = Duration.ofMillis(500);
    HybridLogicalClock clock = new HybridLogicalClock(InstantSource.system(), offset, 1, 0);
    RemoteClockMonitor clocks =
        new RemoteClockMonitor(clock, offset, System::nanoTime, () -> peers);
    Random random = new Random(1);
    int readings = READINGS_PER_PEER * Math.min(peers.size(), 10);
    int[] ahead = IntStream.range(0, readings).map(i -> random.nextInt(20) - 10).toArray();
    double best =
        bestMillis(() -> {
          for (int i = 0; i < readings; i++) {
            RemoteClockMonitor.Asked asked = clocks.ask();
            clocks.onReading(
                peers.get(i % peers.size()), asked, asked.wallMillis() + ahead[i], offset);
          }
        });
    return best * 1000 / readings;
  }
}
