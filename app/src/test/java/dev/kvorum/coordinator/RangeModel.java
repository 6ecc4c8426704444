package dev.kvorum.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.coordinator.RangeMerger.Status;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * One random range over random stores, with writes, pages of any size and members that are lost
 * while it is read, compared with a naive reader of all stores.
 */
final class RangeModel {
  private static final int NOW = 1_000;
  private static final int REPLICATION = 3;

  final Random random;
  final RangeMerger merger;
  final Set<MemberId> lost = new HashSet<>();
  final List<Mutation> emitted = new ArrayList<>();

  /** Keys of writes that a majority held before the range was begun, and were not written since. */
  final NavigableMap<Key, Version> acknowledged = new TreeMap<>();

  private final String name;
  private final SlotMap slots;
  private final KeyRange range;
  private final KeyOrder order;
  private final Map<MemberId, NavigableMap<Key, Versioned>> stores = new HashMap<>();
  private final NavigableMap<Key, Versioned> newest = new TreeMap<>();
  private final List<MemberId> members;
  private final boolean anyFrom;
  private long stamp = 1;

  RangeModel(long seed, SlotMap slots, KeyRange range, long recordsMax, boolean anyFrom) {
    this.name = "seed " + seed;
    this.random = new Random(seed);
    this.slots = slots;
    this.range = range;
    this.anyFrom = anyFrom;
    this.order = random.nextBoolean() ? KeyOrder.ASCENDING : KeyOrder.DESCENDING;
    this.members = slots.preferenceList(0).replicas(127);
    members.forEach(member -> stores.put(member, new TreeMap<>()));
    int keys = random.nextInt(60);
    for (int i = 0; i < keys; i++) {
      write(randomKey(), true);
    }
    RangeVotes votes = RangeVotes.ofAll(List.of(slots), REPLICATION, members.getFirst());
    merger = new RangeMerger(votes, range, order, recordsMax);
  }

  private NavigableMap<Key, Versioned> store(MemberId member) {
    return Objects.requireNonNull(stores.get(member));
  }

  private <V> NavigableMap<Key, V> ordered(NavigableMap<Key, V> records) {
    return order == KeyOrder.ASCENDING ? records : records.descendingMap();
  }

  private Key randomKey() {
    byte[] bytes = new byte[random.nextInt(1, 4)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(6) * 43);
    }
    return Key.ofBytes(bytes);
  }

  /** Writes to all replicas, to a majority or to fewer; whether the last counts is for later. */
  void write(Key key, boolean before) {
    int from = anyFrom ? random.nextInt(1, members.size() + 1) : REPLICATION;
    Version version = new Version(stamp++, 1);
    Versioned record =
        switch (random.nextInt(5)) {
          case 0 -> Versioned.tombstone(version, from);
          case 1 -> Versioned.live(version, NOW - random.nextInt(2), from, new byte[] {1});
          default -> Versioned.live(version, Versioned.NEVER, from, new byte[random.nextInt(9)]);
        };
    List<MemberId> replicas = new ArrayList<>(slots.preferenceList(key).replicas(from));
    int majority = Quorum.majorityOf(replicas.size());
    int copies = random.nextInt(4) == 0 ? random.nextInt(1, from + 1) : from;
    Collections.shuffle(replicas, random);
    for (MemberId replica : replicas.subList(0, Math.min(copies, replicas.size()))) {
      store(replica).put(key, record);
    }
    newest.put(key, record);
    if (before && copies >= majority) {
      acknowledged.put(key, version);
    } else if (!before) {
      acknowledged.remove(key);
    }
  }

  /** Reads it to its end, whatever happens meanwhile. */
  void read(int lossesPerThousand, int writesPerThousand) {
    Set<Integer> underWay = new HashSet<>();
    for (int steps = 0; merger.status() == Status.OPEN; steps++) {
      assertThat(steps).as(name + " comes to an end").isLessThan(100_000);
      if (random.nextInt(1000) < lossesPerThousand) {
        lose(random.nextInt(members.size()));
      }
      if (random.nextInt(1000) < writesPerThousand) {
        write(randomKey(), false);
      }
      int member = random.nextInt(members.size());
      if (underWay.remove(member)) {
        answer(member);
      } else if (merger.sources().get(member).isDue(limits())) {
        merger.sources().get(member).onAsked();
        underWay.add(member);
      }
      if (random.nextInt(3) == 0) {
        emitted.addAll(merger.take(NOW, random.nextInt(1, 20), random.nextInt(1, 40)));
      }
    }
  }

  private ScanLimits limits() {
    return new ScanLimits(random.nextInt(1, 12), 100);
  }

  private void lose(int member) {
    RangeSource source = merger.sources().get(member);
    if (source.isOpen()) {
      lost.add(source.member());
    }
    merger.onLost(member, RejectReason.UNREACHABLE);
  }

  private void answer(int number) {
    RangeSource source = merger.sources().get(number);
    int recordsMax = random.nextInt(1, 12);
    List<Mutation> page = new ArrayList<>();
    Optional<Key> next = Optional.empty();
    for (Map.Entry<Key, Versioned> entry : ordered(store(source.member())).entrySet()) {
      if (source.rest().contains(entry.getKey())) {
        if (page.size() == recordsMax) {
          next = Optional.of(page.getLast().key());
          break;
        }
        page.add(new Mutation(entry.getKey(), entry.getValue()));
      }
    }
    merger.onPage(number, page, next);
  }

  /** Holds what was emitted against what must and may be there. */
  void check() {
    Key before = null;
    for (Mutation mutation : emitted) {
      Key key = mutation.key();
      assertThat(range.contains(key)).as(name).isTrue();
      assertThat(before == null || order.isBefore(before, key)).as(name + " in order").isTrue();
      assertThat(mutation.record().isLiveAt(NOW)).as(name).isTrue();
      Version known = acknowledged.getOrDefault(key, Version.NONE);
      assertThat(known.isNewerThan(mutation.record().version())).as("%s: %s", name, key).isFalse();
      before = key;
    }
    Key last = before;
    boolean isComplete = merger.status() == Status.COMPLETE && merger.recordsLeft() > 0;
    Set<Key> seen = new HashSet<>(emitted.stream().map(Mutation::key).toList());
    acknowledged.forEach((key, version) -> {
      Versioned stored = Objects.requireNonNull(newest.get(key));
      boolean passed = isComplete || (last != null && !order.isBefore(last, key));
      // A newer write of a minority may be seen or not, and may be a delete.
      if (stored.version().equals(version) && stored.isLiveAt(NOW) && range.contains(key)) {
        assertThat(!passed || seen.contains(key)).as("%s: %s is there", name, key).isTrue();
      }
    });
  }

  /** What a reader of all stores at once sees, if nothing changes. */
  List<Key> all() {
    NavigableMap<Key, Versioned> best = new TreeMap<>();
    stores.forEach((member, records) ->
        records.forEach((key, record) ->
            best.merge(key, record, (a, b) -> b.version().isNewerThan(a.version()) ? b : a)));
    return ordered(best).entrySet().stream()
        .filter(entry -> entry.getValue().isLiveAt(NOW) && range.contains(entry.getKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether those that were not lost hold a majority of every slot's first replicas. */
  boolean areEnoughLeft() {
    for (int slot = 0; slot < 4096; slot++) {
      long left =
          slots.preferenceList(slot).replicas(REPLICATION).stream()
              .filter(replica -> !lost.contains(replica))
              .count();
      if (left < 2) {
        return false;
      }
    }
    return true;
  }

  String name() {
    return name;
  }
}
