package dev.kvorum.chaos;

import dev.kvorum.blackbox.Cluster;
import dev.kvorum.chaos.Faults.Fault;
import dev.kvorum.chaos.Faults.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Hurts a minority of the nodes, one fault or two at a time, lets them recover, and does so again.
 *
 * <p>Kinds come in shuffled rounds, so that a long run has as many of each. Whatever needs all
 * nodes gone for a moment stands alone.
 */
final class Nemesis {
  private static final long SHORT_MILLIS_MIN = 2_000;
  private static final long SHORT_MILLIS_MAX = 6_000;
  private static final long LONG_MILLIS = 20_000;
  private static final long CALM_MILLIS_MIN = 1_000;
  private static final long CALM_MILLIS_MAX = 3_000;

  private static final Set<Kind> ALONE =
      EnumSet.of(Kind.KILL_ALL, Kind.POWER_LOSS, Kind.CORRUPTION, Kind.EMPTY_DISK);

  private final Cluster cluster;
  private final Recorder recorder;
  private final Faults faults;
  private final Set<Kind> kinds;
  private final long seed;
  private final SplittableRandom random;
  private final Deque<Kind> round = new ArrayDeque<>();
  private final List<Episode> episodes = new ArrayList<>();
  private int rounds;
  private volatile String doing = "nothing yet";

  Nemesis(ChaosSettings settings, Cluster cluster, Network network, Recorder recorder) {
    this.cluster = cluster;
    this.recorder = recorder;
    this.kinds = Faults.kinds(settings, network);
    this.seed = settings.seed();
    this.random = new SplittableRandom(seed);
    this.faults = new Faults(cluster, network, random.split());
  }

  /** What is being done just now. */
  String doing() {
    return doing;
  }

  /** What has been done, in order. */
  List<Episode> episodes() {
    return List.copyOf(episodes);
  }

  /** Begins no new fault once the time is over; returns when the last one is healed. */
  void rage(Duration duration) {
    long endNanos = recorder.nowNanos() + duration.toNanos();
    long left = duration.toMillis();
    pause(CALM_MILLIS_MAX);
    while (left > 0) {
      boolean isLong = left > 3 * LONG_MILLIS && random.nextInt(8) == 0;
      strike(isLong ? LONG_MILLIS : random.nextLong(SHORT_MILLIS_MIN, SHORT_MILLIS_MAX));
      doing = "calm";
      pause(random.nextLong(CALM_MILLIS_MIN, CALM_MILLIS_MAX));
      left = TimeUnit.NANOSECONDS.toMillis(endNanos - recorder.nowNanos());
    }
  }

  private void strike(long millis) {
    List<Fault> chosen = choose();
    doing = chosen.toString();
    long begun = recorder.nowNanos();
    chosen.forEach(fault -> fault.strike().run());
    long struck = recorder.nowNanos();
    pause(millis);
    long healed = recorder.nowNanos();
    chosen.forEach(fault -> fault.heal().run());
    doing = "recovery from " + chosen;
    cluster.awaitComplete();
    if (chosen.stream().anyMatch(fault -> fault.kind() == Kind.CORRUPTION)) {
      // Until then what is corrupted may be the last copy: a lost disk would be one too many.
      cluster.awaitRebuilt();
    }
    episodes.add(new Episode(chosen, begun, struck, healed, recorder.nowNanos()));
  }

  private List<Fault> choose() {
    int size = cluster.nodes().size();
    int victim = random.nextInt(size);
    Kind first = nextKind();
    List<Fault> chosen = new ArrayList<>(List.of(faults.of(first, victim)));
    boolean two = random.nextInt(3) == 0;
    // Two are a minority of five; and of a disk that is lost every other copy may be needed.
    if (two && size >= 5 && mayBeOneOfTwo(first)) {
      Kind second = nextKind();
      if (mayBeOneOfTwo(second)) {
        chosen.add(faults.of(second, (victim + 1 + random.nextInt(size - 1)) % size));
      }
    }
    return chosen;
  }

  private static boolean mayBeOneOfTwo(Kind kind) {
    return !ALONE.contains(kind);
  }

  private Kind nextKind() {
    if (round.isEmpty()) {
      List<Kind> all = new ArrayList<>(kinds);
      Collections.shuffle(all, new Random(seed + rounds));
      round.addAll(all);
      rounds++;
    }
    return round.removeFirst();
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
