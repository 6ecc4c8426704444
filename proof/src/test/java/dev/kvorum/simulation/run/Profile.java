package dev.kvorum.simulation.run;

import dev.kvorum.config.CoreSettings;
import dev.kvorum.config.KvorumProperties.Clock;
import dev.kvorum.coordinator.CoordinatorSettings;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.data.Key;
import dev.kvorum.hints.HintSettings;
import dev.kvorum.rebalance.RebalanceSettings;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.storage.Durability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * What a seed decides beforehand: the cluster, its keys and the kind of trouble it has.
 *
 * @param trouble what may go wrong
 * @param wipes whether disks are replaced by empty ones, one at a time
 * @param corrupts whether stores are corrupted, of several members at once
 * @param flips whether bits of values change, on disks and on the network
 * @param changes whether members join and leave
 * @param jumps whether the clock of one member at a time is wrong by far more than the bound
 * @param duplicates whether members have two processes at a time
 * @param bias what comes so often that rules show which rarely matter
 * @param clockTickMillis how coarse all wall clocks are
 * @param clockBoundMillis how far any wall clock that is right is from the true time at most
 * @param powerCuts whether a crash also loses what was not synced
 * @param keys what clients work on
 */
public record Profile(
    long seed,
    int members,
    Durability durability,
    boolean powerCuts,
    Trouble trouble,
    boolean wipes,
    boolean corrupts,
    boolean flips,
    boolean changes,
    boolean jumps,
    boolean duplicates,
    Bias bias,
    long clockBoundMillis,
    long clockTickMillis,
    double lossShare,
    long chaosMillis,
    int clients,
    List<HotKey> keys) {
  /** Half of the offset that nodes allow each other. */
  public static final long CLOCK_BOUND_MILLIS = 240;

  /** Kinds of trouble. */
  public enum Trouble {
    /**
     * The network and the time alone: what hinted handoff has to repair without any other repair.
     */
    GENTLE,
    /** Everything, with clocks that keep to their bound. */
    ROUGH,
    /** Everything, and clocks that are off by more than nodes allow each other. */
    BROKEN_CLOCKS
  }

  private static final long BROKEN_CLOCK_MILLIS = 20_000;
  private static final int COLD = 16;
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Duration HINT_AGE_MAX = Duration.ofSeconds(4);
  public static final Duration HORIZON = Duration.ofSeconds(7);

  /** Longest tolerated pause, two request timeouts, and the maximum clock offset. */
  static final long EFFECT_MAX_MILLIS = 4 * TIMEOUT.toMillis() + 500;

  private static final Duration LONG = Duration.ofHours(3);
  private static final long SHORT_TTL_MIN_MILLIS = 200;
  private static final long SHORT_TTL_SPREAD_MILLIS = 3000;

  /**
   * A key that several clients use.
   *
   * @param from replicas that all its majority requests ask
   * @param strict whether nearly all its requests are majority ones; else any quorum comes
   */
  public record HotKey(Key key, int from, boolean strict) {}

  public static Profile of(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    int usual = random.nextInt(4) == 0 ? 5 : random.nextInt(5) == 0 ? 4 : 3;
    boolean usuallyAsync = random.nextInt(4) == 0;
    Trouble trouble =
        switch (random.nextInt(8)) {
          case 0 -> Trouble.GENTLE;
          case 1 -> Trouble.BROKEN_CLOCKS;
          default -> Trouble.ROUGH;
        };
    // A disk that was lost has lost the versions that it gave: a clock that goes back gives them
    // again.
    boolean wipes = trouble == Trouble.ROUGH && random.nextInt(4) > 0;
    boolean jumps = trouble == Trouble.ROUGH && new SplittableRandom(~seed * 31).nextInt(5) == 0;
    Bias bias = Bias.of(seed, trouble, wipes, jumps);
    boolean staged = bias.isStaged();
    int members = bias == Bias.CHANGES ? 5 : staged && usual == 4 ? 3 : usual;
    boolean async = usuallyAsync && !staged;
    // Of two copies none may be lost.
    int fromMin = wipes ? 3 : 2;
    List<HotKey> keys = new ArrayList<>();
    int hot = 2 + random.nextInt(4);
    for (int i = 0; i < hot; i++) {
      int from =
          random.nextInt(3) > 0
              ? Math.min(3, members)
              : fromMin + random.nextInt(members - fromMin + 1);
      keys.add(new HotKey(Key.of("hot-" + i), from, true));
    }
    keys.add(new HotKey(Key.of("loose"), members, false));
    // What is rarely written to keeps its tombstones until they are removed.
    for (int i = 0; i < COLD; i++) {
      keys.add(new HotKey(Key.of("cold-" + i), Math.min(3, members), true));
    }
    boolean corrupts = wipes && !jumps && !staged && new SplittableRandom(~seed).nextInt(3) == 0;
    boolean powerCuts = !async || random.nextInt(3) == 0;
    boolean lossy = async && powerCuts;
    // A member that leaves and joins again has lost its disk as well. A cancelled joiner loses its
    // hints; where hints are the only repair, nothing else restores their writes.
    boolean changes = changes(random.nextInt(2) == 0, bias) && trouble == Trouble.ROUGH;
    boolean duplicates =
        trouble == Trouble.ROUGH
            && bias == Bias.NONE
            && !(jumps || corrupts || changes || lossy)
            && new SplittableRandom(~seed * 37).nextBoolean();
    // How exactly expiry is kept to does not show with coarse clocks.
    long clockTickMillis =
        random.nextInt(3) == 0 ? tickMillis(random.nextLong(200), jumps || staged) : 1;
    double lossShare = random.nextInt(3) == 0 ? random.nextDouble(0.1) : 0;
    long chaosMillis =
        random.nextInt(4) == 0 ? 20_000 + random.nextLong(30_000) : 8_000 + random.nextLong(12_000);
    return new Profile(
        seed,
        members,
        async ? Durability.ASYNC : Durability.SYNC,
        powerCuts,
        trouble,
        wipes,
        corrupts,
        // A corrupted store and a changed value may be the only two copies.
        wipes && !corrupts && !jumps && !lossy && flips(seed, bias),
        changes,
        jumps,
        duplicates,
        bias,
        trouble == Trouble.BROKEN_CLOCKS ? BROKEN_CLOCK_MILLIS : CLOCK_BOUND_MILLIS,
        clockTickMillis,
        staged ? 0 : lossShare,
        // A directory is rejected for up to twenty seconds.
        duplicates ? 20_000 + chaosMillis : lasting(bias, chaosMillis),
        2 + random.nextInt(4),
        keys);
  }

  /**
   * Where so many writes are lost, the copy that changes may be the only one; so may be an expired
   * one of a member that does not start for long.
   */
  private static boolean flips(long seed, Bias bias) {
    boolean loses = bias == Bias.MEMBERS || bias == Bias.PLANS || bias == Bias.UPGRADES;
    return !loses && !bias.isStaged() && new SplittableRandom(~seed).split().nextBoolean();
  }

  private static boolean changes(boolean byChance, Bias bias) {
    return switch (bias) {
      case NONE, UPGRADES -> byChance;
      case MEMBERS, CHANGES, PLANS -> true;
      case DISKS, FLOORS, TOMBSTONES, PAUSES -> false;
    };
  }

  private static long lasting(Bias bias, long byChance) {
    return switch (bias) {
      case MEMBERS, CHANGES, FLOORS, PAUSES, UPGRADES -> 25_000;
      case TOMBSTONES, PLANS -> 40_000;
      case NONE, DISKS -> byChance;
    };
  }

  private static long tickMillis(long more, boolean jumps) {
    return jumps ? 1 : 1 + more;
  }

  /** Whether the durability setting lets a power cut lose an acknowledged write. */
  public boolean isLossy() {
    return durability == Durability.ASYNC && powerCuts;
  }

  /** Whether clocks keep to what nodes allow each other. */
  public boolean areClocksBounded() {
    return trouble != Trouble.BROKEN_CLOCKS;
  }

  /** The settings of every node. */
  public CoreSettings core() {
    return new CoreSettings(
        new CoordinatorSettings(Math.min(3, members), TIMEOUT, 0.2, TIMEOUT.multipliedBy(2)),
        TestSettings.of(
            HintSettings.class,
            "page-max=8",
            "rate-max=1MB",
            "age-max=" + (trouble == Trouble.GENTLE ? LONG : HINT_AGE_MAX),
            "interval=500ms",
            "pull-max=5s"),
        repair(),
        rebalance(),
        // After a pause for longer no version is given before the mark is written again.
        TestSettings.of(
            Clock.class, "max-offset=500ms", "reserve=" + (bias == Bias.PAUSES ? "10s" : "1500ms")),
        Duration.ofSeconds(2));
  }

  private static RebalanceSettings rebalance() {
    return TestSettings.of(
        RebalanceSettings.class,
        "rate-max=1MB",
        "latency-max=50ms",
        "page-records-max=4",
        "page-max=1KB",
        "window=3",
        "timeout=2s");
  }

  /** Everything that takes hours or days by default takes seconds here. */
  private RepairSettings repair() {
    boolean off = trouble == Trouble.GENTLE;
    return TestSettings.of(
        RepairSettings.class,
        "interval=" + (off ? LONG : Duration.ofSeconds(4)),
        "settle=3100ms",
        "granularity=500ms",
        "tombstone-age-min=" + (off ? LONG : HINT_AGE_MAX.plusMillis(500)),
        "horizon=" + (trouble == Trouble.ROUGH ? HORIZON : LONG.multipliedBy(2)),
        "timeout=2s",
        "retry-max=2s",
        "rate-max=1MB",
        "latency-max=50ms",
        "page-records-max=4",
        "page-max=1KB",
        "window=3",
        "rebuild-streams=" + (1 + Math.floorMod(seed, 3)),
        "copies-max=8",
        "dropped-max=8");
  }

  /** A ttl for one put; 0: none. */
  public long ttlMillis(RandomGenerator random) {
    if (!jumps || random.nextBoolean()) {
      return SHORT_TTL_MIN_MILLIS + random.nextLong(SHORT_TTL_SPREAD_MILLIS);
    }
    // Due long after the run, and by a clock that has jumped long before.
    return random.nextLong(60_000, Duration.ofDays(40).toMillis());
  }

  /** A key for one request. */
  public HotKey key(RandomGenerator random) {
    int hot = keys.size() - COLD;
    return keys.get(random.nextInt(4) == 0 ? hot + random.nextInt(COLD) : random.nextInt(hot));
  }

  /** A quorum for one request to a key of which there are no more than so many copies. */
  public Quorum quorum(HotKey key, int fromMax, RandomGenerator random) {
    int from = Math.min(fromMax, key.strict() ? key.from() : 1 + random.nextInt(members));
    int least = !key.strict() || random.nextInt(12) == 0 ? 1 : Quorum.majorityOf(from);
    int ack = random.nextInt(3) == 0 ? least + random.nextInt(from - least + 1) : least;
    return new Quorum(ack, from);
  }

  @Override
  public String toString() {
    return "seed %d: %d members%s, %s%s, %s%s, clocks within %d ms, loss %.3f, %d ms, %d clients, %s"
        .formatted(
            seed,
            members,
            changes ? " that change" : "",
            trouble,
            (wipes ? " with lost disks" : "")
                + (corrupts ? " and corrupted stores" : "")
                + (flips ? " and flipped bits" : "")
                + (jumps ? " and jumping clocks" : "")
                + (duplicates ? " and duplicate processes" : "")
                + (bias == Bias.NONE ? "" : " biased to " + bias),
            durability,
            powerCuts ? " with power cuts" : "",
            clockBoundMillis,
            lossShare,
            chaosMillis,
            clients,
            keys.subList(0, keys.size() - COLD));
  }
}
