package dev.kvorum.repair;

import dev.kvorum.background.Adoption;
import dev.kvorum.background.Ground;
import dev.kvorum.placement.Slots;
import dev.kvorum.repair.RepairMarks.Mark;
import dev.kvorum.replica.SyncReply.Status;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.topology.MemberId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
  private final long startMillis;
  private final Queue<Copying> copyings = new ArrayDeque<>();
  private @Nullable Copying current;
  private long pauseMillis = PAUSE_MIN_MILLIS;
  private boolean over;

  /**
   * A rebuild that has not begun.
   *
   * @param done run once this member is whole
   * @param missedRemovals told of a member that has gone on without this one amid the rebuild
   */
  Rebuild(
      Ground ground,
      RepairSettings settings,
      RepairMarks marks,
      Wholeness wholeness,
      Adoption adoption,
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
    this.startMillis = ground.wallMillis();
  }

  void start() {
    poll();
  }

  /** Ends it without a word. */
  void stop() {
    over = true;
    floor.stop();
    if (current != null) {
      current.stop();
    }
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
    switch (Arrival.of(isBlank(marks), members, heard.values())) {
      case WAIT -> pollLater();
      case NEW_CLUSTER -> {
        log.info("The cluster begins with {} and this node", heard.keySet());
        becomeWhole(
            heard.entrySet().stream()
                .map(other ->
                    new Mark(RepairMarks.bornWithName(other.getKey()), other.getValue().life()))
                .collect(Collectors.toCollection(ArrayList::new)));
      }
      case BORN_TOGETHER -> becomeWhole(new ArrayList<>());
      case REBUILD -> {
        floor.start(heard);
        copy();
      }
    }
  }

  private void copy() {
    log.info("This node rebuilds: it has no say in reads until its slots are back");
    for (MemberId peer : ground.peers().get()) {
      copyings.add(
          new Copying(
              ground,
              settings,
              question(ground, marks),
              adoption,
              peer,
              this::onPaused,
              () -> missedRemovals.accept(peer)));
    }
    marks.keep(
        RepairMarks.REBUILDING,
        1,
        kept -> {
          if (!over) {
            copyNext();
          }
        });
  }

  private void copyNext() {
    if (over) {
      return;
    }
    Predicate<Copying> possible = copying -> !ground.replicas().isSuspect(copying.source());
    Copying next = copyings.stream().filter(possible).findFirst().orElse(null);
    if (next == null) {
      pauseMillis = Math.min(PAUSE_MAX_MILLIS, pauseMillis * 2);
      ground.loop().schedule(this::copyNext, pauseMillis, TimeUnit.MILLISECONDS);
      return;
    }
    copyings.remove(next);
    current = next;
    next.advance();
  }

  private void onPaused(boolean complete) {
    Copying copying = current;
    if (over || copying == null) {
      return;
    }
    current = null;
    if (complete) {
      pauseMillis = PAUSE_MIN_MILLIS;
      tracker.completed(copying.source(), copying.isFromEmptied());
      wholeness.back(tracker.back());
      log.info("All is copied from {}: {} slots are back", copying.source(), slotsBack());
    } else {
      // Behind the others: what they have may do.
      copyings.add(copying);
      pauseMillis = Math.min(PAUSE_MAX_MILLIS, pauseMillis * 2);
    }
    if (wholeness.slotsBack() == Slots.COUNT) {
      StatusRound.ask(ground, ground.peers().get(), question(ground, marks), this::atLast);
    } else {
      ground.loop().schedule(this::copyNext, complete ? 0 : pauseMillis, TimeUnit.MILLISECONDS);
    }
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

  private int slotsBack() {
    return wholeness.slotsBack();
  }

  /**
   * Tombstones that anybody removed before the rebuild began are nothing this member missed: all it
   * holds came later, from members that had them.
   */
  private List<Mark> pulledMarks() {
    long cut = Coverage.stamp(startMillis - settings.settle().toMillis());
    return ground.peers().get().stream()
        .map(peer -> new Mark(RepairMarks.pulledName(peer), cut))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private void becomeWhole(List<Mark> first) {
    if (over) {
      return;
    }
    List<Mark> all = new ArrayList<>(first);
    all.add(new Mark(MarkStore.SET_ASIDE, 0));
    all.add(new Mark(RepairMarks.WHOLE, ground.wallMillis()));
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
            ground.loop().schedule(() -> becomeWhole(first), pauseMillis, TimeUnit.MILLISECONDS);
          }
        });
  }
}
