package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.ScanServer;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.repair.state.RecordCompleteness;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.RepairReply.Held;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.replica.RepairSource;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Serves the repair sessions and rebuilds of peers. Confined to the event loop of repair. */
final class RepairServer implements RepairSource {
  private final BackgroundContext context;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final SessionContext session;
  private final ScanServer scans;
  private final MerkleTreeBuilder trees;
  private final TombstonePurger purger;
  private final RecordCompleteness completeness;
  private final BooleanSupplier handsOn;
  private final Map<MemberId, SharedSlots> shared = new HashMap<>();
  private @Nullable SlotMap sharedOf;
  private final Map<MemberId, WantedLeaves> wanted = new HashMap<>();

  /**
   * A server.
   *
   * @param handsOn whether its peers may copy its records
   */
  RepairServer(SessionContext session, RecordCompleteness completeness, BooleanSupplier handsOn) {
    this.session = session;
    this.context = session.background();
    this.settings = session.settings();
    this.marks = session.marks();
    this.scans = new ScanServer(context, session.rateLimiter(), settings.page());
    this.trees = session.trees();
    this.purger = session.purger();
    this.completeness = completeness;
    this.handsOn = handsOn;
  }

  @Override
  public void serve(RepairRequest request, Executor loop, Waiter<ReplicaReply> waiter) {
    context.serve(loop, waiter, there -> handle(request, there));
  }

  private void handle(RepairRequest request, Waiter<ReplicaReply> waiter) {
    assert context.isOnLoop();
    switch (request) {
      case RepairRequest.AskStatus ask -> waiter.reply(status(ask));
      case RepairRequest.Copy copy -> copy(copy, waiter);
      case RepairRequest.CompareDigests compare -> waiter.reply(compare(compare));
      case RepairRequest.WantLeaves want -> waiter.reply(want(want));
      case RepairRequest.ListWanted list -> list(list, waiter);
      case RepairRequest.Pulled pulled -> pulled(pulled, waiter);
      case RepairRequest.AskCertain ask ->
          waiter.reply(
              completeness
                  .certain(ask.ranges())
                  .<ReplicaReply>map(RepairReply.Certain::new)
                  .orElse(ReplicaReply.NOT_READY));
    }
  }

  private ReplicaReply status(RepairRequest.AskStatus ask) {
    purger.contacted(ask.asker());
    session.watermarks().ofStore(ask.asker(), ask.life());
    long foundedWith = marks.foundedWith(ask.asker());
    return new RepairReply.Status(
        marks.isBlank(),
        foundedWith != 0 && foundedWith == ask.life(),
        !completeness.hasAll(),
        completeness.isGrowing(),
        purger.hasPurgedWithout(ask.asker(), ask.life()),
        context.store().purgedUpTo(),
        Math.max(context.clock().newestStamp(), context.store().newestStamp()),
        marks.get(RepairMarks.LIFE));
  }

  private void copy(RepairRequest.Copy copy, Waiter<ReplicaReply> waiter) {
    if (marks.get(RepairMarks.COMPLETE) != 0 && !handsOn.getAsBoolean()) {
      waiter.reply(ReplicaReply.NOT_READY);
      return;
    }
    scans.serve(
        copy.after(),
        Detail.RECORD,
        waiter,
        page ->
            new ReplicaReply.Page(
                page.records().stream().filter(record -> keeps(copy.keeper(), record)).toList(),
                page.next()));
  }

  private boolean keeps(MemberId keeper, Mutation mutation) {
    int from = mutation.record().from();
    return context.layouts().get().reads(mutation.key(), from).replicas().contains(keeper);
  }

  private ReplicaReply compare(RepairRequest.CompareDigests compare) {
    purger.contacted(compare.puller());
    int level = compare.level();
    if (level < 0 || level > 2 || !areParts(level, compare.nodes())) {
      return new ReplicaReply.Failed(RejectReason.STALE_EPOCH);
    }
    if (!completeness.hasAll()) {
      return new ReplicaReply.Failed(RejectReason.REBUILDING);
    }
    if (context.layouts().get().topology().phase() != Phase.STABLE) {
      return ReplicaReply.NOT_READY;
    }
    if (isFuture(compare.cut())) {
      return new ReplicaReply.Failed(RejectReason.CLOCK_AHEAD);
    }
    MerkleTrees ready = trees.at(compare.cut());
    if (ready != null) {
      return new RepairReply.Digests(
          ready.digests(level, compare.nodes(), sharedWith(compare.puller())));
    }
    if (trees.newestCut() > compare.cut()) {
      return new RepairReply.CutMoved(trees.newestCut());
    }
    trees.want(compare.cut());
    return ReplicaReply.NOT_READY;
  }

  /** Whether a cut is, or may be, in the future by the majority's clock. */
  private boolean isFuture(long cut) {
    OptionalLong now = context.majorityMillis();
    return now.isEmpty() || cut > Version.stampOf(now.getAsLong());
  }

  private boolean areParts(int level, int[] nodes) {
    boolean all = nodes.length <= RepairSession.PARTS_MAX;
    for (int node : nodes) {
      all &= node >= 0 && node < LeafHash.partsAt(level);
    }
    return all;
  }

  private SharedSlots sharedWith(MemberId puller) {
    SlotMap slots = context.layouts().get().before();
    if (slots != sharedOf) {
      shared.clear();
      sharedOf = slots;
    }
    return shared.computeIfAbsent(puller, peer -> new SharedSlots(slots, context.self(), peer));
  }

  private ReplicaReply want(RepairRequest.WantLeaves want) {
    long now = context.nanoTime().getAsLong();
    long idleMaxNanos = 2 * settings.timeout().toNanos();
    wanted.values().removeIf(leaves -> leaves.idleNanos(now) > idleMaxNanos);
    WantedLeaves leaves = wanted.get(want.puller());
    if (leaves == null || leaves.cut() != want.cut()) {
      leaves = new WantedLeaves(want.cut());
      wanted.put(want.puller(), leaves);
    }
    leaves.used(now);
    return leaves.add(want.level(), want.parts())
        ? RepairReply.Done.DONE
        : new ReplicaReply.Failed(RejectReason.STALE_EPOCH);
  }

  private void list(RepairRequest.ListWanted list, Waiter<ReplicaReply> waiter) {
    WantedLeaves leaves = wanted.get(list.puller());
    if (leaves == null || leaves.cut() != list.cut()) {
      waiter.reply(ReplicaReply.NOT_READY);
      return;
    }
    leaves.used(context.nanoTime().getAsLong());
    scans.serve(
        list.after(),
        Detail.VERSION,
        waiter,
        page -> {
          if (page.next().isEmpty()) {
            wanted.remove(list.puller(), leaves);
          }
          return new RepairReply.Listed(
              page.records().stream()
                  .filter(record -> leaves.contains(record.key()))
                  .map(RepairServer::held)
                  .toList(),
              page.next());
        });
  }

  private static Held held(Mutation mutation) {
    Versioned record = mutation.record();
    return new Held(
        mutation.key(), record.version(), record.from(), record.tombstone(), record.checksum());
  }

  private void pulled(RepairRequest.Pulled pulled, Waiter<ReplicaReply> waiter) {
    purger.contacted(pulled.puller());
    if (isFuture(pulled.cut()) || pulled.cut() <= marks.pulledBy(pulled.puller())) {
      waiter.reply(RepairReply.Done.DONE);
      return;
    }
    marks.keep(
        RepairMarks.pulledByName(pulled.puller()),
        pulled.cut(),
        kept -> {
          if (kept) {
            session.watermarks().pulled(pulled.puller(), pulled.cut());
            waiter.reply(RepairReply.Done.DONE);
          } else {
            waiter.reply(new ReplicaReply.Failed(RejectReason.STORAGE_FAILED));
          }
        });
  }

  /** Discards the peers' sessions. */
  public void clear() {
    wanted.clear();
  }
}
