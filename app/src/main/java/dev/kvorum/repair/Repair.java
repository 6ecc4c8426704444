package dev.kvorum.repair;

import dev.kvorum.background.Adoption;
import dev.kvorum.background.Ground;
import dev.kvorum.background.Pace;
import dev.kvorum.repair.RepairMarks.Mark;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.topology.Founding;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What keeps a member equal to the others: anti-entropy, the rebuild after a lost disk, and the end
 * of tombstones. A member only ever pulls: nothing that repair sends unasked is taken. Lives on one
 * event loop, but for what other loops ask of its parts.
 */
public final class Repair {
  private static final Logger log = LoggerFactory.getLogger(Repair.class);

  private final Ground ground;
  private final Attempts attempts;
  private final RepairSettings settings;
  private final StartOver startOver;
  private final CorruptionRecovery corruption;
  private final Founding founding;
  private final RepairMarks marks;
  private final Joining joining;
  private final Wholeness wholeness = new Wholeness();
  private final Coverage coverage;
  private final Pace pace;
  private final TombstoneReaper reaper;
  private final Trees trees;
  private final SyncServer server;
  private final Adoption adoption;
  private final AntiEntropy antiEntropy;
  private final long lastAliveMillis;
  private final CompletableFuture<Void> whole = new CompletableFuture<>();
  private @Nullable Rebuild rebuild;
  private @Nullable Doubt doubt;
  private boolean startingOver;

  /**
   * Repair that has not begun; to be made before the clock is reserved, whose mark tells when this
   * member was last alive.
   *
   * @param setAside corrupted stores of this member
   * @param founding whether the cluster has begun, as is known outside of this member's store
   * @param offsetMillis how far clocks may be apart
   */
  public Repair(
      Ground ground,
      RepairSettings settings,
      StartOver startOver,
      SetAsideStores setAside,
      Founding founding,
      long offsetMillis) {
    this.ground = ground;
    this.attempts = new Attempts(ground.loop());
    this.settings = settings;
    this.startOver = startOver;
    this.founding = founding;
    this.marks = new RepairMarks(ground.marks(), ground.loop(), ground::majorityMillis);
    this.joining = new Joining(ground, settings, marks);
    this.lastAliveMillis = ground.marks().mark(MarkStore.CLOCK_RESERVED);
    this.corruption =
        new CorruptionRecovery(
            ground, setAside, wholeness, Doubt.wasAwayLong(ground, settings, lastAliveMillis));
    this.coverage = new Coverage(ground, settings);
    this.pace = new Pace(ground, settings.bytesPerSecondMax(), settings.latencyMax().toNanos());
    this.adoption = new Adoption(ground, coverage::late);
    MismatchRepair.begin(ground, settings.timeout(), adoption);
    this.reaper =
        new TombstoneReaper(ground, settings, marks, coverage, this::isQuiet, offsetMillis);
    this.trees = new Trees(ground, settings, pace, coverage, reaper);
    SyncServer.Knowledge own = corruption.knowledge(() -> rebuild);
    this.server =
        new SyncServer(
            ground, settings, marks, pace, trees, coverage, reaper, wholeness::hasAll, own);
    this.antiEntropy =
        new AntiEntropy(
            ground, settings, marks, pace, trees, coverage, reaper, adoption, this::onMissed);
  }

  /** Takes its place at this node's own replica: its votes, what it sees and what it serves. */
  public void serveOn(LocalReplica replica) {
    replica.vote(wholeness);
    replica.watchWrites(coverage);
    replica.serveSync(server);
  }

  /** Begins; to be called once the clock may be used. */
  public void start() {
    ground
        .loop()
        .execute(() -> {
          pace.start();
          antiEntropy.start();
          begin();
        });
  }

  /** The way in for records of others. */
  public Adoption adoption() {
    return adoption;
  }

  /** Whether this member has all that it should have. */
  public boolean hasAll() {
    return wholeness.hasAll();
  }

  /** Takes note of a member that copies from this one: nothing is removed without it. */
  public void heard(MemberId member) {
    reaper.heard(member);
  }

  /**
   * Takes note that all this member holds came from others after that moment, so that it has missed
   * no tombstone that anybody removed before; on the loop. Only a joining member is told so.
   *
   * @param next run once that is durable
   */
  public void filledSince(long millis, Runnable next) {
    joining.filledSince(millis, next);
  }

  /** Does what other members ask for; on the loop. Nothing is compared while they change. */
  public void follow() {
    reaper.rested();
    if (startingOver) {
      // It begins again by the newest layout.
      return;
    }
    if (rebuild != null || joining.bringsOldRecords()) {
      // Those that a rebuild waits for may be gone, and others keep what it lacks.
      forget();
      begin();
      return;
    }
    pauseComparing();
    resumeComparing();
  }

  private void resumeComparing() {
    if (isQuiet()) {
      antiEntropy.resume();
    }
  }

  private void pauseComparing() {
    antiEntropy.pause();
    trees.forget();
    server.forget();
  }

  private boolean isQuiet() {
    return wholeness.hasAll() && ground.layouts().get().topology().phase() == Phase.STABLE;
  }

  /** Done once this member has been whole for the first time. */
  public CompletableFuture<Void> whole() {
    return whole;
  }

  /** What there is to see; safe for any thread. */
  public RepairReport report() {
    return RepairReport.of(ground, settings, marks, wholeness, antiEntropy.current());
  }

  private void begin() {
    if (marks.get(RepairMarks.LIFE) == 0) {
      marks.keep(
          RepairMarks.LIFE,
          RepairMarks.newLife(ground.likelyMillis(), ground.nanoTime().getAsLong()),
          attempts.then(this::begin, this::begin));
    } else if (marks.get(RepairMarks.START_OVER) != 0) {
      empty("it was about to when it stopped");
    } else if (joining.bringsOldRecords()) {
      empty("it joins anew, and the others may have forgotten deletions of what it held before");
    } else if (marks.get(RepairMarks.WHOLE) == 0 && joining.isUnderWay()) {
      join();
    } else if (marks.get(RepairMarks.WHOLE) == 0) {
      rebuild =
          new Rebuild(
              ground,
              settings,
              marks.ofThisStore(),
              wholeness,
              adoption,
              pace,
              corruption,
              founding,
              this::onWhole,
              this::onMissed);
      rebuild.start();
    } else if (Doubt.isDue(ground, settings, marks, lastAliveMillis)) {
      log.info("This node was away for long: it asks the others what it may have missed");
      doubt = new Doubt(ground, marks, this::onWhole, this::onMissed);
      doubt.start();
    } else {
      onWhole();
    }
  }

  private void join() {
    joining.begin(
        marks.ofThisStore(),
        attempts.then(
            () -> {
              if (joining.bringsOldRecords()) {
                begin();
              } else {
                onWhole();
              }
            },
            this::begin));
  }

  /** Takes absent records for absent, not lost, from now on. */
  public void acceptLoss() {
    ground.loop().execute(corruption::acceptLoss);
  }

  private void onWhole() {
    rebuild = null;
    corruption.complete();
    wholeness.whole();
    resumeComparing();
    log.info("This node has all that it should have");
    founding.note();
    whole.complete(null);
  }

  private void onMissed(MemberId peer) {
    corruption.outdated();
    empty(peer + " has forgotten deletions that this node never saw");
  }

  /** Takes its vote back, on any thread: the store is about to be an empty one. */
  public void onStoreLost() {
    wholeness.bar();
  }

  /** Takes note that the store in use is an empty one, whose marks say why; on any thread. */
  public void onStoreReplaced() {
    ground
        .loop()
        .execute(() -> {
          wholeness.unbar();
          if (!startingOver) {
            forget();
            begin();
          }
        });
  }

  private void empty(String reason) {
    if (startingOver) {
      return;
    }
    startingOver = true;
    forget();
    log.warn("This node starts over with an empty store: {}", reason);
    marks.keepAll(
        List.of(new Mark(RepairMarks.START_OVER, 1)),
        kept ->
            startOver.startOver(
                reason,
                ground.loop(),
                () -> {
                  startingOver = false;
                  begin();
                }));
  }

  private void forget() {
    attempts.next();
    wholeness.lose();
    pauseComparing();
    if (rebuild != null) {
      rebuild.stop();
      rebuild = null;
    }
    if (doubt != null) {
      doubt.stop();
      doubt = null;
    }
  }
}
