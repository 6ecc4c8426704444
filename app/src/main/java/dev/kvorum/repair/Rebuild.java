package dev.kvorum.repair;

import dev.kvorum.background.Adoption;
import dev.kvorum.background.Ground;
import dev.kvorum.background.Pace;
import dev.kvorum.data.KeyRange;
import dev.kvorum.placement.Slots;
import dev.kvorum.repair.RepairMarks.Mark;
import dev.kvorum.replica.SyncReply.Status;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.topology.Founding;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a member that is not whole to all of its slots. It asks the others where they stand,
 * again and again: either the cluster begins just now, or there is something to be had. Then it
 * copies what it has to keep from each of them and gets its say in a slot back as soon as no
 * acknowledged write can be missing. Lives on one event loop; stopped in the middle it begins anew.
 */
final class Rebuild {
  private static final Logger log = LoggerFactory.getLogger(Rebuild.class);
  private static final long PAUSE_MIN_MILLIS = 200;
  private static final long PAUSE_MAX_MILLIS = 2000;

  private final Ground ground;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final Wholeness wholeness;
  private final Adoption adoption;
  private final Runnable done;
  private final Consumer<MemberId> missedRemovals;
  private final CopyTracker tracker;
  private final WriteFloor floor;
  private final CorruptionRecovery corruption;
  private final LostDisks lostDisks;
  private final Salvage salvage;
  private final CopyQueue copies;
  private OptionalLong begunMillis = OptionalLong.empty();
  private long pauseMillis = PAUSE_MIN_MILLIS;
  private boolean isCopying;
  private boolean over;

  /**
   * A rebuild that has not begun.
   *
   * @param corruption what is left of this member's corrupted stores
   * @param founding whether the cluster has begun before
   * @param done run once this member is whole
   * @param missedRemovals told of a member that has gone on without this one amid the rebuild
   */
  Rebuild(
      Ground ground,
      RepairSettings settings,
      RepairMarks marks,
      Wholeness wholeness,
      Adoption adoption,
      Pace pace,
      CorruptionRecovery corruption,
      Founding founding,
      Runnable done,
      Consumer<MemberId> missedRemovals) {
    this.ground = ground;
    this.settings = settings;
    this.marks = marks;
    this.wholeness = wholeness;
    this.adoption = adoption;
    this.done = done;
    this.missedRemovals = missedRemovals;
    this.tracker = new CopyTracker(ground.layouts().get().readMaps(), ground.self());
    this.floor = new WriteFloor(ground, wholeness, question(ground, marks));
    this.corruption = corruption;
    this.lostDisks = new LostDisks(ground, founding);
    this.salvage =
        new Salvage(
            ground,
            settings,
            corruption.stores(),
            adoption,
            pace,
            corruption.isOutdated(),
            this::onSalvaged);
    this.copies = new CopyQueue(ground, this::onCopied);
  }

  void start() {
    poll();
  }

  /** Ends it without a word. */
  void stop() {
    over = true;
    floor.stop();
    salvage.stop();
    copies.stop();
  }

  /** Whether what this member holds will grow by what can be read of its corrupted stores. */
  boolean isSalvaging() {
    return !salvage.isOver();
  }

  /** Of which ranges its corrupted store gave every record; empty when that is not yet known. */
  Optional<List<Boolean>> certain(List<KeyRange> ranges) {
    return salvage.certain(ranges);
  }

  static boolean isBlank(RepairMarks marks) {
    return marks.get(RepairMarks.WHOLE) == 0
        && marks.get(MarkStore.SET_ASIDE) == 0
        && marks.get(RepairMarks.REBUILDING) == 0;
  }

  static SyncRequest.AskStatus question(Ground ground, RepairMarks marks) {
    return new SyncRequest.AskStatus(ground.self(), marks.get(RepairMarks.LIFE));
  }

  private void poll() {
    if (!over) {
      StatusRound.ask(ground, ground.peers().get(), question(ground, marks), this::on);
    }
  }

  private void pollLater() {
    ground.loop().schedule(this::poll, pauseMillis, TimeUnit.MILLISECONDS);
    pauseMillis = Math.min(PAUSE_MAX_MILLIS, pauseMillis * 2);
  }

  private void on(Map<MemberId, Status> heard) {
    if (over) {
      return;
    }
    int members = ground.peers().get().size() + 1;
    boolean founded = lostDisks.isClusterFounded();
    switch (Arrival.of(founded, isBlank(marks), members, heard.values())) {
      case WAIT -> pollLater();
      case DISKS_LOST -> {
        lostDisks.waitFor(heard.keySet());
        pollLater();
      }
      case NEW_CLUSTER -> {
        log.info("The cluster begins with {} and this node", heard.keySet());
        becomeWhole(RepairMarks.bornWithAll(heard));
      }
      case BORN_TOGETHER -> becomeWhole(List.of());
      case REBUILD -> {
        floor.start(heard);
        salvage.start();
      }
    }
  }

  /** The records on this machine come first: others may wait for them. */
  private void onSalvaged() {
    if (over) {
      return;
    }
    if (!isCopying) {
      isCopying = true;
      copy();
    } else if (takeBack()) {
      finish();
    }
  }

  /** Gives this member its vote where that is safe; whether that is everywhere. */
  private boolean takeBack() {
    BitSet back = tracker.back();
    back.andNot(salvage.deferred());
    wholeness.back(back);
    return back.cardinality() == Slots.COUNT;
  }

  private void copy() {
    begunMillis = ground.majorityMillis();
    if (begunMillis.isEmpty()) {
      // What it has seen of removals is told by when it began, and nobody knows the time yet.
      Runnable again =
          () -> {
            if (!over) {
              copy();
            }
          };
      ground.loop().schedule(again, PAUSE_MIN_MILLIS, TimeUnit.MILLISECONDS);
      return;
    }
    log.info("This node rebuilds: it has no say in reads until its slots are back");
    for (MemberId peer : ground.peers().get()) {
      copies.add(
          new Copying(
              ground,
              settings,
              question(ground, marks),
              adoption,
              peer,
              copies::onPaused,
              () -> missedRemovals.accept(peer)));
    }
    marks.keep(RepairMarks.REBUILDING, 1, kept -> copies.start());
  }

  /**
   * A copy has come to rest.
   *
   * @return whether copying goes on
   */
  private boolean onCopied(Copying copying, boolean complete) {
    if (complete) {
      tracker.completed(copying.source(), copying.isFromEmptied());
    }
    boolean isBack = takeBack();
    if (complete) {
      log.info("All is copied from {}: {} slots are back", copying.source(), wholeness.slotsBack());
    }
    if (isBack) {
      finish();
    }
    return !isBack;
  }

  private void finish() {
    StatusRound.ask(ground, ground.peers().get(), question(ground, marks), this::atLast);
  }

  /** Those that were copied from first may have given up waiting for this member since. */
  private void atLast(Map<MemberId, Status> heard) {
    if (over) {
      return;
    }
    heard.entrySet().stream()
        .filter(other -> other.getValue().wentOnWithout())
        .findFirst()
        .ifPresentOrElse(
            other -> missedRemovals.accept(other.getKey()), () -> becomeWhole(pulledMarks()));
  }

  /**
   * Tombstones that anybody removed before the rebuild began are nothing this member missed: all it
   * holds came later, from members that had them.
   */
  private List<Mark> pulledMarks() {
    long cut = Coverage.stamp(begunMillis.orElseThrow() - settings.settle().toMillis());
    return ground.peers().get().stream()
        .map(peer -> new Mark(RepairMarks.pulledName(peer), cut))
        .toList();
  }

  private void becomeWhole(List<Mark> first) {
    if (over) {
      return;
    }
    BitSet uncertain = new BitSet(Slots.COUNT);
    uncertain.set(0, Slots.COUNT);
    uncertain.andNot(tracker.backFromFull());
    salvage.findLost(
        uncertain,
        lost -> {
          if (!over) {
            corruption.lost(lost, () -> markWhole(first));
          }
        });
  }

  private void markWhole(List<Mark> first) {
    if (over) {
      return;
    }
    List<Mark> all = new ArrayList<>(first);
    all.add(new Mark(MarkStore.SET_ASIDE, 0));
    all.add(new Mark(RepairMarks.WHOLE, ground.likelyMillis()));
    marks.keepAll(
        all,
        kept -> {
          if (over) {
            return;
          }
          if (kept) {
            over = true;
            floor.stop();
            wholeness.whole();
            done.run();
          } else {
            ground.loop().schedule(() -> markWhole(first), pauseMillis, TimeUnit.MILLISECONDS);
          }
        });
  }
}
