package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Version;
import dev.kvorum.placement.Slots;
import dev.kvorum.repair.salvage.Salvage;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairMarks.Mark;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.repair.state.StatusRound;
import dev.kvorum.replica.RepairReply.Status;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.topology.Founding;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds an incomplete member until it has all of its slots. It polls its peers until it can
 * decide: either the cluster is new, or there are records to restore. Then it streams the records
 * that it keeps from each peer, and votes in a slot again as soon as no acknowledged write can be
 * missing there. A rebuild that is stopped starts from the beginning. Confined to one event loop.
 */
public final class Rebuild {
  private static final Logger log = LoggerFactory.getLogger(Rebuild.class);
  private static final long PAUSE_MIN_MILLIS = 200;
  private static final long PAUSE_MAX_MILLIS = 2000;

  private final BackgroundContext context;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final VotingState votingState;
  private final StreamReceiver receiver;
  private final SlotRecovery tracker;
  private final WriteFloor floor;
  private final CorruptionRecovery corruption;
  private final LostDisks lostDisks;
  private final Salvage salvage;
  private final StreamQueue<RebuildStream> copies;
  private Listener listener = Listener.NONE;
  private OptionalLong begunMillis = OptionalLong.empty();
  private long pauseMillis = PAUSE_MIN_MILLIS;
  private boolean isCopying;
  private boolean over;

  /** Receives how a rebuild ended. */
  public interface Listener {
    /** Receives nothing. */
    Listener NONE =
        new Listener() {
          @Override
          public void onComplete() {}

          @Override
          public void onMissedPurges(MemberId peer) {}
        };

    /** This member is complete. */
    void onComplete();

    /** A peer removed tombstones without this member during the rebuild. */
    void onMissedPurges(MemberId peer);
  }

  /**
   * A rebuild that has not started.
   *
   * @param corruption corrupted stores of this member
   * @param founding whether the cluster was founded before
   */
  public Rebuild(
      BackgroundContext context,
      RepairSettings settings,
      StreamReceiver receiver,
      BackgroundRateLimiter rateLimiter,
      CorruptionRecovery corruption,
      Founding founding) {
    this.context = context;
    this.settings = settings;
    this.marks = RepairMarks.of(context).ofThisStore();
    this.votingState = corruption.votingState();
    this.receiver = receiver;
    this.tracker = new SlotRecovery(context.layouts().get().readMaps(), context.self());
    this.floor = new WriteFloor(context, votingState, marks.statusRequest(context.self()));
    this.corruption = corruption;
    this.lostDisks = new LostDisks(context, founding);
    this.salvage =
        new Salvage(
            context, settings, corruption.stores(), receiver, rateLimiter, corruption.isOutdated());
    this.copies = new StreamQueue<>(context, settings.rebuildStreams(), this::onCopied);
  }

  /** Begins; the listener receives the end, unless the rebuild is stopped before. */
  public void start(Listener follower) {
    assert context.isOnLoop();
    listener = follower;
    poll();
  }

  /** Ends the rebuild without a result. */
  public void stop() {
    assert context.isOnLoop();
    over = true;
    floor.stop();
    salvage.stop();
    copies.stop();
  }

  /** Whether records of corrupted stores are still to be stored. */
  boolean isSalvaging() {
    return !salvage.isOver();
  }

  /** For each range, whether the corrupted store yielded every record; empty while not known. */
  Optional<List<Boolean>> certain(List<KeyRange> ranges) {
    return salvage.certain(ranges);
  }

  private void poll() {
    if (!over) {
      StatusRound.ask(
          context, context.peers().get(), marks.statusRequest(context.self()), this::on);
    }
  }

  private void pollLater() {
    context.loop().schedule(this::poll, pauseMillis, TimeUnit.MILLISECONDS);
    pauseMillis = Math.min(PAUSE_MAX_MILLIS, pauseMillis * 2);
  }

  private void on(Map<MemberId, Status> statuses) {
    assert context.isOnLoop();
    if (over) {
      return;
    }
    int members = context.peers().get().size() + 1;
    boolean founded = lostDisks.isClusterFounded();
    switch (BootstrapDecision.of(founded, marks.isBlank(), members, statuses.values())) {
      case WAIT -> pollLater();
      case DISKS_LOST -> {
        lostDisks.waitFor(statuses.keySet());
        pollLater();
      }
      case NEW_CLUSTER -> {
        log.info("The cluster is founded with {} and this node", statuses.keySet());
        becomeComplete(RepairMarks.foundedWithAll(statuses));
      }
      case FOUNDED_TOGETHER -> becomeComplete(List.of());
      case REBUILD -> {
        floor.start(statuses);
        salvage.start(this::onSalvaged);
      }
    }
  }

  /** Local records come first: peers may be waiting for them. */
  private void onSalvaged() {
    assert context.isOnLoop();
    if (over) {
      return;
    }
    if (!isCopying) {
      isCopying = true;
      copy();
    } else if (restoreVotes()) {
      finish();
    }
  }

  /** Restores the vote in the slots where that is safe; returns whether these are all slots. */
  private boolean restoreVotes() {
    BitSet back = tracker.back();
    back.andNot(salvage.deferred());
    votingState.back(back);
    return back.cardinality() == Slots.COUNT;
  }

  private void copy() {
    begunMillis = context.majorityMillis();
    if (begunMillis.isEmpty()) {
      // The time at the start determines which removals the rebuild covers.
      Runnable again =
          () -> {
            if (!over) {
              copy();
            }
          };
      context.loop().schedule(again, PAUSE_MIN_MILLIS, TimeUnit.MILLISECONDS);
      return;
    }
    log.info(
        "This node rebuilds its store: it does not vote in reads until its slots are restored");
    Topology topology = context.layouts().get().topology();
    for (MemberId peer : SourceOrder.of(topology, context.self(), context.peers().get())) {
      copies.add(
          new RebuildStream(
              context,
              settings,
              marks.statusRequest(context.self()),
              receiver,
              peer,
              new StreamListener()));
    }
    marks.keep(RepairMarks.REBUILDING, 1, kept -> copies.start());
  }

  private final class StreamListener implements RebuildStream.Listener {
    @Override
    public void onPaused(RebuildStream stream, boolean isComplete) {
      copies.onPaused(stream, isComplete);
    }

    @Override
    public void onMissedPurges(MemberId source) {
      listener.onMissedPurges(source);
    }
  }

  /** Called when a stream has paused or ended. */
  private void onCopied(RebuildStream copying, boolean complete) {
    assert context.isOnLoop();
    if (complete) {
      tracker.completed(copying.source(), copying.isFromEmptied());
    }
    boolean isBack = restoreVotes();
    if (complete) {
      log.info(
          "Streamed all records from {}: {} slots restored",
          copying.source(),
          votingState.slotsBack());
    }
    if (isBack) {
      finish();
    }
  }

  private void finish() {
    // A stream that ran on would count for this member's next store.
    copies.stop();
    StatusRound.ask(
        context, context.peers().get(), marks.statusRequest(context.self()), this::onFinalStatus);
  }

  /** A source may have removed tombstones without this member since its stream ended. */
  private void onFinalStatus(Map<MemberId, Status> statuses) {
    assert context.isOnLoop();
    if (over) {
      return;
    }
    statuses.entrySet().stream()
        .filter(other -> other.getValue().purgedWithoutAsker())
        .findFirst()
        .ifPresentOrElse(
            other -> listener.onMissedPurges(other.getKey()), () -> becomeComplete(pulledMarks()));
  }

  /**
   * Marks that cover all tombstones removed before the rebuild began: everything that this member
   * holds came later, from members that had received them.
   */
  private List<Mark> pulledMarks() {
    long cut = Version.stampOf(begunMillis.orElseThrow() - settings.settle().toMillis());
    return context.peers().get().stream()
        .map(peer -> new Mark(RepairMarks.pulledName(peer), cut))
        .toList();
  }

  private void becomeComplete(List<Mark> first) {
    if (over) {
      return;
    }
    BitSet uncertain = new BitSet(Slots.COUNT);
    uncertain.set(0, Slots.COUNT);
    uncertain.andNot(tracker.backFromFull());
    salvage.findLost(
        uncertain, lost -> corruption.lost(lost, () -> over, () -> markComplete(first)));
  }

  private void markComplete(List<Mark> first) {
    if (over) {
      return;
    }
    List<Mark> all = new ArrayList<>(first);
    all.add(new Mark(MarkStore.SET_ASIDE, 0));
    all.add(new Mark(MarkStore.RESET, 0));
    all.add(new Mark(RepairMarks.COMPLETE, context.likelyMillis()));
    marks.keepAll(
        all,
        kept -> {
          if (over) {
            return;
          }
          if (kept) {
            over = true;
            floor.stop();
            // Its stores are released next: it must make no more room in them.
            salvage.stop();
            votingState.complete();
            listener.onComplete();
          } else {
            context.loop().schedule(() -> markComplete(first), pauseMillis, TimeUnit.MILLISECONDS);
          }
        });
  }
}
