package dev.kvorum.repair.salvage;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.background.RetryingWriter;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.placement.Slots;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the readable records of this member's corrupted stores in its new store. Confined to one
 * event loop.
 *
 * <p>The newest readable record of a key is as good as any replica, and a first pass stores it. For
 * other records, a tombstone may be among what cannot be read, and the peers may have removed
 * theirs. If the peers have removed tombstones without this member, that is so for all records but
 * those with a single copy. A second pass asks the other replicas about these ({@link LastCopies}).
 *
 * <p>On a disk that is nearly full, files of the corrupted stores are deleted as soon as all their
 * records are decided on, so that both copies of a large store need not fit. A first pass that has
 * left a record to the second one can delete nothing from there on: it then leaves to it what finds
 * no room as well.
 */
public final class Salvage {
  private static final Logger log = LoggerFactory.getLogger(Salvage.class);

  private final BackgroundContext context;
  private final RepairSettings settings;
  private final SetAsideStores stores;
  private final StreamReceiver receiver;
  private final BackgroundRateLimiter rateLimiter;
  private final boolean isOutdated;
  private final SalvageRoom room;
  private final RetryingWriter writer;
  private final LastCopies lastCopies;
  private final BitSet deferred = new BitSet(Slots.COUNT);

  // Of both passes: the second one may meet a newly corrupted table, and delete what is before it.
  private final Set<KeyRange> unreadable = new LinkedHashSet<>();

  private final List<Mutation> undecided = new ArrayList<>();
  private Runnable onPass = () -> {};
  private boolean holdsSingleCopies;
  private boolean hasRead;
  private boolean over;
  private long records;

  /**
   * A salvage that has not started.
   *
   * @param isOutdated whether this member was away so long that its peers may have removed
   *     tombstones without it
   */
  public Salvage(
      BackgroundContext context,
      RepairSettings settings,
      SetAsideStores stores,
      StreamReceiver receiver,
      BackgroundRateLimiter rateLimiter,
      boolean isOutdated) {
    this.context = context;
    this.settings = settings;
    this.stores = stores;
    this.receiver = receiver;
    this.rateLimiter = rateLimiter;
    this.isOutdated = isOutdated;
    this.room = new SalvageRoom(context, stores, () -> over);
    this.writer = new RetryingWriter(context, settings.window(), () -> over, this::withRoom);
    this.lastCopies = new LastCopies(context, settings, receiver, writer, () -> over);
  }

  /**
   * Starts the first pass if there is anything to salvage.
   *
   * @param passed run after the first pass, and after the second one if there is one
   */
  public void start(Runnable passed) {
    assert context.isOnLoop();
    onPass = passed;
    if (stores.isPending()) {
      holdsSingleCopies = stores.hadSingleCopies();
      pass();
    } else {
      hasRead = true;
      onPass.run();
    }
  }

  /** Ends the salvage; no callback runs any more. */
  public void stop() {
    assert context.isOnLoop();
    over = true;
  }

  /** Whether all records that can be salvaged are stored. */
  public boolean isOver() {
    return hasRead && deferred.isEmpty();
  }

  /** Slots with records whose decision is still open. */
  public BitSet deferred() {
    return deferred;
  }

  /** For each range, whether every record could be read; empty before the first pass has ended. */
  public Optional<List<Boolean>> certain(List<KeyRange> ranges) {
    assert context.isOnLoop();
    if (!hasRead) {
      return Optional.empty();
    }
    return Optional.of(
        ranges.stream()
            .map(range -> !isOutdated && unreadable.stream().noneMatch(range::overlaps))
            .toList());
  }

  /**
   * Determines the key ranges that may be permanently lost: neither readable here nor complete on
   * the peers.
   *
   * @param uncertain slots that peers with complete stores did not restore
   */
  public void findLost(BitSet uncertain, Consumer<LostKeys> done) {
    assert context.isOnLoop();
    if (unreadable.isEmpty() || (uncertain.isEmpty() && !holdsSingleCopies)) {
      done.accept(LostKeys.NONE);
    } else if (holdsSingleCopies) {
      // Records with from=1 have no other copy.
      BitSet all = new BitSet(Slots.COUNT);
      all.set(0, Slots.COUNT);
      done.accept(new LostKeys(List.copyOf(unreadable), all));
    } else {
      List<MemberId> peers = context.peers().get();
      RangeCertainty certainty =
          new RangeCertainty(context, settings.timeout(), List.copyOf(unreadable));
      certainty.ask(() ->
          done.accept(
              new LostKeys(
                  unreadable.stream()
                      .filter(range -> certainty.certain(range, peers) < peers.size())
                      .toList(),
                  uncertain)));
    }
  }

  private void pass() {
    records = 0;
    if (!hasRead) {
      unreadable.clear();
    }
    stores.begin();
    nextPage();
  }

  private void withRoom(Runnable next) {
    // Files from the first undecided record on are read again.
    if (hasRead || deferred.isEmpty()) {
      room.make(isOver(), holdsSingleCopies, next);
    } else {
      next.run();
    }
  }

  /** Copies from peers and writes of clients need room until the stores are released. */
  private void watchRoom() {
    if (stores.isPending()) {
      writer.later(this::watchRoom);
    }
  }

  private void nextPage() {
    stores.next(settings.page(), context.loop(), this::onPage);
  }

  private void onPage(Salvaged salvaged) {
    assert context.isOnLoop();
    if (over) {
      return;
    }
    switch (salvaged) {
      case Salvaged.Failed _ -> writer.later(this::nextPage);
      case Salvaged.Page page -> {
        Salvaged.addUnreadable(unreadable, page.unreadable());
        store(page);
      }
    }
  }

  private void store(Salvaged.Page page) {
    List<Salvageable> all = page.records();
    long bytes = all.stream().mapToLong(record -> record.mutation().heapBytes()).sum();
    records += all.size();
    undecided.clear();
    writer.write(
        all,
        this::store,
        () -> decide(() -> rateLimiter.after(bytes, () -> onStored(page.isLast()))));
  }

  private void store(Salvageable record, Consumer<Boolean> done) {
    Mutation mutation = record.mutation();
    boolean isSingle = mutation.record().from() == 1;
    holdsSingleCopies |= isSingle;
    if (!isSingle && (isOutdated || !record.isNewest())) {
      // Peers may have removed its tombstone: those that this member did not receive, or those that
      // it received and cannot read.
      undecided.add(mutation);
      done.accept(true);
      return;
    }
    receiver.salvage(
        mutation,
        canMakeRoom(),
        applied -> {
          boolean isLeft =
              applied instanceof WriteResult.Rejected(RejectReason reason)
                  && reason == RejectReason.DISK_FULL
                  && !canMakeRoom();
          if (isLeft) {
            undecided.add(mutation);
          }
          done.accept(isLeft || !(applied instanceof WriteResult.Rejected));
        });
  }

  /** Files that contain records of this page can be deleted later in this pass. */
  private boolean canMakeRoom() {
    return hasRead || (deferred.isEmpty() && undecided.isEmpty());
  }

  /** What becomes of the records of this page that were rejected. */
  private void decide(Runnable next) {
    if (hasRead) {
      lastCopies.decide(List.copyOf(undecided), next);
    } else {
      undecided.forEach(mutation -> deferred.set(Slots.of(mutation.key())));
      next.run();
    }
  }

  private void onStored(boolean isLast) {
    if (over) {
      return;
    }
    if (!isLast) {
      withRoom(this::nextPage);
      return;
    }
    log.info(
        "{} records of corrupted stores were read; {} key ranges cannot be read; the records of {}"
            + " slots may be deleted ones",
        records,
        unreadable.size(),
        hasRead ? 0 : deferred.cardinality());
    boolean isSecond = hasRead;
    hasRead = true;
    if (isSecond) {
      deferred.clear();
    } else if (!deferred.isEmpty()) {
      pass();
    }
    if (isOver()) {
      watchRoom();
    }
    onPass.run();
  }
}
