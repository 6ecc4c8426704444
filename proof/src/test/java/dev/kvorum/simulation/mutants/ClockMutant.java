package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.run.Profile;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;

/** Nodes that break a rule of {@code docs/adr/0015}: whose clock counts, and for what. */
enum ClockMutant implements Defect {
  EXPIRES_BY_ITS_OWN_CLOCK(
      redirects("background.BackgroundContext", "trustedMillis", "majorityMillis", "ownMillis"),
      Patch.answers("background.BackgroundContext", "trustedMillis", "isSuspended", false),
      redirects("repair.antientropy.TombstonePurger", "tidy", "min", "later")),
  CUTS_BY_ITS_OWN_CLOCK(
      redirects("repair.antientropy.AntiEntropy", "tick", "majorityMillis", "ownMillis"),
      Patch.skips("repair.antientropy.AntiEntropy", "dropFuture")),
  ANSWERS_BY_ITS_OWN_CLOCK(
      redirects("data.HybridLogicalClock", "correctedMillis", "corrected", "asItIs")),
  GIVES_VERSIONS_THAT_ARE_AHEAD(
      Patch.returns("rpc.RemoteClockMonitor", "ceilingMillis", Long.MAX_VALUE),
      Patch.skips("data.HybridLogicalClock", "suspend")),
  ACCEPTS_FUTURE_CUTS(Patch.returns("repair.state.RepairMarks", "isFuture", false)),
  /** With a member away: what all have compared since is left out of the trees, and differs. */
  HASHES_LIVE_RECORDS_AS_DEAD(
      redirects("repair.antientropy.LeafHash", "ofLive", "hashLongLongLongToLong", "hashDead"),
      redirects("repair.antientropy.TombstonePurger", "counts", "horizon", "anHour")),
  RETURNS_EXPIRED_RECORDS(
      redirects("coordinator.ReadOperation", "complete", "isLive", "isNoTombstone")),
  /** A clock that nobody has read yet, beside one that is away and one that is wrong. */
  COUNTS_THE_CLOCK_OF_A_JOINER(
      Patch.answers("node.NodeDependencies", "settled", "isSource", true)) {
    @Override
    public boolean canShowIn(Profile profile) {
      return profile.jumps() && profile.changes();
    }
  },
  /** A start with a clock that is ahead moves the mark above which the next one begins. */
  RESERVES_BEFORE_IT_KNOWS_THE_TIME {
    @Override
    public MarkStore marks(MarkStore marks, InstantSource clock) {
      return new MarkStore() {
        @Override
        public long mark(String name) {
          return marks.mark(name);
        }

        @Override
        public void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter) {
          boolean clocks = name.equals(CLOCK_HIGH_WATER);
          long kept = clocks ? Math.max(number, clock.millis() + 1500) : number;
          marks.keepMark(name, kept, loop, waiter);
        }
      };
    }
  };

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  ClockMutant(Patch... patches) {
    this.patches = List.of(patches);
  }

  private static Patch redirects(String type, String method, String called, String name) {
    return Patch.redirects(type, method, called, BrokenRules.class, name);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }

  @Override
  public boolean canShowIn(Profile profile) {
    return profile.jumps();
  }
}
