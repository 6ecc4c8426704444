package dev.kvorum.repair;

import dev.kvorum.background.Ground;
import dev.kvorum.background.Pace;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.replica.SyncReply.Held;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.replica.SyncSource;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.Scanned;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Answers what other members ask to become this one's equal, on the loop of repair. */
final class SyncServer implements SyncSource {
  /** What this member can say of the records that it ever acknowledged. */
  interface Knowledge {
    /** Whether it still reads records of a corrupted store. */
    boolean isGrowing();

    /** Of which ranges it knows each of these records; empty when it cannot say yet. */
    Optional<List<Boolean>> certain(List<KeyRange> ranges);
  }

  private static final ReplicaReply NOT_READY = new ReplicaReply.Failed(Refusal.NOT_READY);

  private final Ground ground;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final Pace pace;
  private final Trees trees;
  private final Coverage coverage;
  private final TombstoneReaper reaper;
  private final BooleanSupplier whole;
  private final Knowledge knowledge;
  private final Map<MemberId, SharedSlots> shared = new HashMap<>();
  private @Nullable SlotMap sharedOf;
  private final Map<MemberId, WantedLeaves> wanted = new HashMap<>();

  SyncServer(
      Ground ground,
      RepairSettings settings,
      RepairMarks marks,
      Pace pace,
      Trees trees,
      Coverage coverage,
      TombstoneReaper reaper,
      BooleanSupplier whole,
      Knowledge knowledge) {
    this.ground = ground;
    this.settings = settings;
    this.marks = marks;
    this.pace = pace;
    this.trees = trees;
    this.coverage = coverage;
    this.reaper = reaper;
    this.whole = whole;
    this.knowledge = knowledge;
  }

  @Override
  public void serve(SyncRequest request, Executor loop, Waiter<ReplicaReply> waiter) {
    ground.serve(loop, waiter, there -> handle(request, there));
  }

  private void handle(SyncRequest request, Waiter<ReplicaReply> waiter) {
    switch (request) {
      case SyncRequest.AskStatus ask -> waiter.answer(status(ask));
      case SyncRequest.Copy copy -> copy(copy, waiter);
      case SyncRequest.CompareDigests compare -> waiter.answer(compare(compare));
      case SyncRequest.WantLeaves want -> waiter.answer(want(want));
      case SyncRequest.ListWanted list -> list(list, waiter);
      case SyncRequest.Pulled pulled -> pulled(pulled, waiter);
      case SyncRequest.AskCertain ask ->
          waiter.answer(
              knowledge
                  .certain(ask.ranges())
                  .<ReplicaReply>map(SyncReply.Certain::new)
                  .orElse(NOT_READY));
    }
  }

  private ReplicaReply status(SyncRequest.AskStatus ask) {
    reaper.heard(ask.asker());
    long bornWith = marks.bornWith(ask.asker());
    return new SyncReply.Status(
        Rebuild.isBlank(marks),
        bornWith != 0 && bornWith == ask.life(),
        !whole.getAsBoolean(),
        knowledge.isGrowing(),
        reaper.hasGoneOnWithout(ask.asker(), ask.life()),
        ground.store().removedUpTo(),
        ground.clock().newestStamp(),
        marks.get(RepairMarks.LIFE));
  }

  /** Whoever copies has nothing: what was known of it is over. */
  private void copy(SyncRequest.Copy copy, Waiter<ReplicaReply> waiter) {
    if (marks.get(RepairMarks.WHOLE) != 0 && !whole.getAsBoolean()) {
      // It doubts what it holds.
      waiter.answer(NOT_READY);
      return;
    }
    coverage.forget(copy.keeper());
    scan(
        copy.after(),
        Detail.RECORD,
        waiter,
        (records, next) ->
            new ReplicaReply.Page(
                records.stream().filter(record -> keeps(copy.keeper(), record)).toList(), next));
  }

  private boolean keeps(MemberId keeper, Mutation mutation) {
    int from = mutation.record().from();
    return ground.layouts().get().reads(mutation.key(), from).replicas().contains(keeper);
  }

  private void scan(
      Optional<Key> after,
      Detail detail,
      Waiter<ReplicaReply> waiter,
      BiFunction<List<Mutation>, Optional<Key>, ReplicaReply> answer) {
    KeyRange rest = after.map(KeyRange.ALL::after).orElse(KeyRange.ALL);
    ScanLimits limits = new ScanLimits(settings.pageRecords(), settings.pageBytes());
    ground
        .store()
        .scan(
            rest,
            detail,
            limits,
            ground.loop(),
            scanned -> {
              switch (scanned) {
                case Scanned.Unknown unknown ->
                    waiter.answer(new ReplicaReply.Failed(unknown.reason()));
                case Scanned.Page page
                    when !ground.replicas().verifier().areLost(page.mismatched()) ->
                    // They are being repaired; without them the page would say that there are none.
                    waiter.answer(ReplicaReply.MISMATCH);
                case Scanned.Page page -> {
                  long bytes = Pace.bytesOf(page, limits);
                  pace.after(bytes, () -> waiter.answer(answer.apply(page.records(), page.next())));
                }
              }
            });
  }

  private ReplicaReply compare(SyncRequest.CompareDigests compare) {
    reaper.heard(compare.puller());
    int level = compare.level();
    if (level < 0 || level > 2 || !areParts(level, compare.nodes())) {
      return new ReplicaReply.Failed(Refusal.STALE_EPOCH);
    }
    if (!whole.getAsBoolean()) {
      return new ReplicaReply.Failed(Refusal.REBUILDING);
    }
    if (ground.layouts().get().topology().phase() != Phase.STABLE) {
      return NOT_READY;
    }
    if (isFuture(compare.cut())) {
      return new ReplicaReply.Failed(Refusal.CLOCK_AHEAD);
    }
    MerkleTrees ready = trees.at(compare.cut());
    if (ready != null) {
      return new SyncReply.Digests(
          ready.digests(level, compare.nodes(), sharedWith(compare.puller())));
    }
    if (trees.newestCut() > compare.cut()) {
      return new SyncReply.Elsewhere(trees.newestCut());
    }
    trees.want(compare.cut());
    return NOT_READY;
  }

  /** Whether a cut lies in the future, or may: by the clocks of a majority, not by the own one. */
  private boolean isFuture(long cut) {
    OptionalLong now = ground.majorityMillis();
    return now.isEmpty() || cut > Coverage.stamp(now.getAsLong());
  }

  private boolean areParts(int level, int[] nodes) {
    boolean all = nodes.length <= Pull.PARTS_MAX;
    for (int node : nodes) {
      all &= node >= 0 && node < LeafHash.partsAt(level);
    }
    return all;
  }

  private SharedSlots sharedWith(MemberId puller) {
    SlotMap slots = ground.layouts().get().before();
    if (slots != sharedOf) {
      shared.clear();
      sharedOf = slots;
    }
    return shared.computeIfAbsent(puller, peer -> new SharedSlots(slots, ground.self(), peer));
  }

  private ReplicaReply want(SyncRequest.WantLeaves want) {
    long now = ground.nanoTime().getAsLong();
    long idleMaxNanos = 2 * settings.timeout().toNanos();
    wanted.values().removeIf(session -> session.idleNanos(now) > idleMaxNanos);
    WantedLeaves session = wanted.get(want.puller());
    if (session == null || session.cut() != want.cut()) {
      session = new WantedLeaves(want.cut());
      wanted.put(want.puller(), session);
    }
    session.used(now);
    return session.add(want.level(), want.parts())
        ? SyncReply.Done.DONE
        : new ReplicaReply.Failed(Refusal.STALE_EPOCH);
  }

  private void list(SyncRequest.ListWanted list, Waiter<ReplicaReply> waiter) {
    WantedLeaves session = wanted.get(list.puller());
    if (session == null || session.cut() != list.cut()) {
      waiter.answer(NOT_READY);
      return;
    }
    session.used(ground.nanoTime().getAsLong());
    scan(
        list.after(),
        Detail.VERSION,
        waiter,
        (records, next) -> {
          if (next.isEmpty()) {
            wanted.remove(list.puller(), session);
          }
          return new SyncReply.Listed(
              records.stream()
                  .filter(record -> session.contains(record.key()))
                  .map(SyncServer::held)
                  .toList(),
              next);
        });
  }

  private static Held held(Mutation mutation) {
    Versioned record = mutation.record();
    return new Held(
        mutation.key(), record.version(), record.from(), record.tombstone(), record.checksum());
  }

  private void pulled(SyncRequest.Pulled pulled, Waiter<ReplicaReply> waiter) {
    reaper.heard(pulled.puller());
    if (isFuture(pulled.cut()) || pulled.cut() <= marks.pulledBy(pulled.puller())) {
      waiter.answer(SyncReply.Done.DONE);
      return;
    }
    marks.keep(
        RepairMarks.pulledByName(pulled.puller()),
        pulled.cut(),
        kept -> {
          if (kept) {
            coverage.pulled(pulled.puller(), pulled.cut());
            waiter.answer(SyncReply.Done.DONE);
          } else {
            waiter.answer(new ReplicaReply.Failed(Refusal.STORAGE_FAILED));
          }
        });
  }

  /** Forgets what others wanted. */
  void forget() {
    wanted.clear();
  }
}
