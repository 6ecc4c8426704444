package dev.kvorum.repair;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.MemberRecords;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.repair.antientropy.ReplicaRepair;
import dev.kvorum.repair.rebuild.CorruptionRecovery;
import dev.kvorum.repair.rebuild.JoinStatus;
import dev.kvorum.repair.rebuild.MissedPurgeCheck;
import dev.kvorum.repair.rebuild.Rebuild;
import dev.kvorum.repair.rebuild.StoreReset;
import dev.kvorum.repair.rebuild.VotingState;
import dev.kvorum.repair.state.Attempts;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.replica.RepairSource;
import dev.kvorum.replica.VotingRights;
import dev.kvorum.replica.WriteListener;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.topology.Founding;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a member's records equal to its peers': anti-entropy, the rebuild after a lost disk, and
 * the removal of tombstones. A member only pulls; records that repair did not request are never
 * accepted. Confined to one event loop, except for the parts that other loops call.
 */
public final class Repair implements MemberRecords {
  private static final Logger log = LoggerFactory.getLogger(Repair.class);

  private final BackgroundContext context;
  private final Attempts attempts;
  private final RepairSettings settings;
  private final StoreReset storeReset;
  private final CorruptionRecovery corruption;
  private final Founding founding;
  private final RepairMarks marks;
  private final JoinStatus joining;
  private final VotingState votingState = new VotingState();
  private final MissedPurgeCheck purges;
  private final ReplicaRepair antiEntropy;
  private final CompletableFuture<Void> complete = new CompletableFuture<>();
  private State state = new State.Preparing();

  /** State of a member's repair. */
  private sealed interface State {
    /** Stops the work of this state; its result is ignored. */
    default void stop() {}

    /** Marks are being written, or repair has not started. */
    record Preparing() implements State {}

    /**
     * The store is being replaced by an empty one. Events in the meantime take effect afterwards.
     */
    record Resetting() implements State {}

    /** Slots are restored from the other replicas. */
    record Rebuilding(Rebuild rebuild) implements State {
      @Override
      public void stop() {
        rebuild.stop();
      }
    }

    /** The peers are asked whether tombstones were purged without this member; it does not vote. */
    record CheckingPurges() implements State {}

    /** This member has all of its slots; anti-entropy keeps them equal. */
    record Complete() implements State {}
  }

  /**
   * Repair that has not started; create it before the clock is reserved, whose mark records when
   * this member was last alive.
   *
   * @param setAside corrupted stores of this member
   * @param founding whether the cluster was founded before, by what is outside this member's store
   */
  public Repair(
      BackgroundContext context,
      RepairSettings settings,
      StoreReset storeReset,
      SetAsideStores setAside,
      Founding founding) {
    this.context = context;
    this.attempts = new Attempts(context);
    this.settings = settings;
    this.storeReset = storeReset;
    this.founding = founding;
    this.marks = RepairMarks.of(context);
    this.joining = new JoinStatus(context, settings, marks);
    this.purges = new MissedPurgeCheck(context, settings, marks, this::onMissed);
    this.corruption =
        new CorruptionRecovery(
            context,
            setAside,
            votingState,
            purges.wasAwayLong() || context.marks().mark(MarkStore.RESET) != 0);
    this.antiEntropy =
        new ReplicaRepair(
            context,
            settings,
            marks,
            corruption.completeness(this::rebuild),
            this::handsOnNow,
            this::onMissed);
  }

  /** In which slots this member votes. */
  public VotingRights votes() {
    return votingState;
  }

  /** Serves repair sessions and rebuilds of peers. */
  public RepairSource source() {
    return antiEntropy.source();
  }

  /** Receives each write at this member's own replica. */
  public WriteListener writeListener() {
    return antiEntropy.writeListener();
  }

  /** Starts; call it once the clock may be used. */
  public void start() {
    context.loop().execute(antiEntropy::start);
    context.loop().execute(this::begin);
  }

  @Override
  public StreamReceiver receiver() {
    return antiEntropy.receiver();
  }

  @Override
  public boolean hasAll() {
    return votingState.hasAll();
  }

  @Override
  public void contacted(MemberId member) {
    assert context.isOnLoop();
    antiEntropy.contacted(member);
  }

  @Override
  public void filledSince(long millis, Runnable next) {
    assert context.isOnLoop();
    joining.filledSince(millis, next);
  }

  /** Applies a new layout; on the loop. No sessions run while members change. */
  public void follow() {
    assert context.isOnLoop();
    antiEntropy.onLayoutChanged();
    if (state instanceof State.Resetting) {
      return; // It starts again with the newest layout.
    }
    boolean isCopiedFrom = context.layouts().get().topology().phase() == Phase.TRANSFERRING;
    if (rebuild() != null || joining.bringsOldRecords() || (isCopiedFrom && mustAskFirst())) {
      // The sources of a rebuild may be gone, and other members keep what it lacks.
      beginAgain();
      return;
    }
    antiEntropy.pause();
    antiEntropy.resume();
  }

  @Override
  public boolean handsOn() {
    return votingState.hasAll() && purges.mayHandOn();
  }

  /** Whether it was cut off, not stopped, for long; a session would ask only one peer. */
  private boolean mustAskFirst() {
    return handsOn() && purges.isOverdue();
  }

  private boolean handsOnNow() {
    if (mustAskFirst()) {
      beginAgain();
    }
    return handsOn();
  }

  /** Completes once this member has been complete for the first time. */
  public CompletableFuture<Void> complete() {
    return complete;
  }

  /** State for the endpoint and metrics; safe for any thread. */
  public RepairReport report() {
    return RepairReport.of(context, marks, votingState, antiEntropy.current());
  }

  private @Nullable Rebuild rebuild() {
    return state instanceof State.Rebuilding(Rebuild rebuild) ? rebuild : null;
  }

  private void beginAgain() {
    abort();
    begin();
  }

  private void begin() {
    switch (RepairStep.next(marks, joining, purges::isDue)) {
      case NUMBER_THE_STORE ->
          marks.keep(
              RepairMarks.LIFE,
              RepairMarks.newLife(context.likelyMillis(), context.nanoTime().getAsLong()),
              attempts.then(this::begin, this::begin));
      case RESUME_RESET -> reset("the reset was pending when the node stopped");
      case RESET_BEFORE_JOINING ->
          reset("it joins again with records whose tombstones may have been purged");
      case JOIN -> join();
      case REBUILD -> startRebuild();
      case CHECK_FOR_MISSED_PURGES -> {
        state = new State.CheckingPurges();
        purges.start(this::onComplete);
      }
      case COMPLETE -> onComplete();
    }
  }

  private void startRebuild() {
    Rebuild rebuild =
        new Rebuild(
            context,
            settings,
            antiEntropy.receiver(),
            antiEntropy.rateLimiter(),
            corruption,
            founding);
    state = new State.Rebuilding(rebuild);
    rebuild.start(
        new Rebuild.Listener() {
          @Override
          public void onComplete() {
            Repair.this.onComplete();
          }

          @Override
          public void onMissedPurges(MemberId peer) {
            onMissed(peer);
          }
        });
  }

  private void join() {
    corruption.skip();
    joining.begin(marks.ofThisStore(), attempts.then(this::joined, this::begin));
  }

  private void joined() {
    if (joining.bringsOldRecords()) {
      begin();
    } else {
      onComplete();
    }
  }

  /** Responds to reads of lost keys with "not found" from now on. */
  public void acceptLoss() {
    context.loop().execute(corruption::acceptLoss);
  }

  private void onComplete() {
    assert context.isOnLoop();
    state = new State.Complete();
    votingState.complete();
    corruption.complete();
    antiEntropy.resume();
    log.info("This node is complete and votes on all its slots");
    founding.note();
    complete.complete(null);
  }

  private void onMissed(MemberId peer) {
    assert context.isOnLoop();
    corruption.outdated();
    reset(peer + " has purged tombstones that this node never received");
  }

  /** Withdraws the vote; safe for any thread. The store is about to be replaced by an empty one. */
  public void onStoreLost() {
    votingState.bar();
  }

  /** Continues with the empty store now in use; safe for any thread. */
  public void onStoreReplaced() {
    context.loop().execute(this::replaced);
  }

  private void replaced() {
    assert context.isOnLoop();
    votingState.unbar();
    if (!(state instanceof State.Resetting)) {
      beginAgain();
    }
  }

  private void reset(String reason) {
    if (state instanceof State.Resetting) {
      return;
    }
    abort();
    state = new State.Resetting();
    log.warn("This node resets its store: {}", reason);
    marks.keep(
        RepairMarks.RESETTING,
        1,
        kept -> storeReset.reset(reason, context.loop(), this::beginAgain));
  }

  private void abort() {
    attempts.next();
    purges.stop();
    votingState.lose();
    antiEntropy.pause();
    state.stop();
    state = new State.Preparing();
  }
}
