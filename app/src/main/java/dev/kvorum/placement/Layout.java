package dev.kvorum.placement;

import dev.kvorum.data.Key;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Maps keys to the members that read and write them under one topology. It uses one slot map or,
 * during a membership change, those before and after it ({@code docs/adr/0011}). Plans for up to
 * five copies are precomputed.
 */
public final class Layout {
  private static final int READY = 5;

  private final Topology topology;
  private final SlotMap before;
  private final SlotMap after;
  private final int fromMax;
  private final Plans[] bySlot = new Plans[Slots.COUNT];
  private final List<Plans> distinct;

  /** Plans for the slots of one pair of preference lists. */
  private final class Plans {
    private final PreferenceList old;
    private final PreferenceList next;
    private final ReplicaPlan[] reads = new ReplicaPlan[READY];
    private final ReplicaPlan[] writes;

    Plans(PreferenceList old, PreferenceList next) {
      this.old = old;
      this.next = next;
      boolean unchanged = old.equals(next);
      writes = unchanged ? reads : new ReplicaPlan[READY];
      for (int from = 1; from <= READY; from++) {
        reads[from - 1] = read(from);
        if (!unchanged) {
          writes[from - 1] = write(from);
        }
      }
    }

    private ReplicaPlan read(int from) {
      return topology.phase() == Phase.SETTLING
          ? write(from)
          : ReplicaPlan.of(topology.epoch(), old.replicas(from));
    }

    boolean gains(MemberId member, int from) {
      List<MemberId> kept = old.replicas(from);
      List<MemberId> keep = next.replicas(from);
      return keep.contains(member) && (!kept.contains(member) || keep.size() < kept.size());
    }

    private ReplicaPlan write(int from) {
      return ReplicaPlan.of(topology.epoch(), old.replicas(from), next.replicas(from));
    }
  }

  private Layout(Topology topology, SlotMap before, SlotMap after) {
    this.topology = topology;
    this.before = before;
    this.after = after;
    this.fromMax = Math.min(topology.before().size(), topology.after().size());
    Map<List<PreferenceList>, Plans> shared = new HashMap<>();
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      PreferenceList old = before.preferenceList(slot);
      PreferenceList next = after.preferenceList(slot);
      bySlot[slot] = shared.computeIfAbsent(List.of(old, next), pair -> new Plans(old, next));
    }
    distinct = List.copyOf(shared.values());
  }

  /** Creates the layout of a topology. */
  public static Layout of(Topology topology) {
    return of(topology, SlotMap::of);
  }

  /** Creates the layout of a topology, with slot maps that may exist already. */
  public static Layout of(Topology topology, Function<List<Member>, SlotMap> maps) {
    SlotMap before = maps.apply(topology.before());
    SlotMap after = topology.phase() == Phase.STABLE ? before : maps.apply(topology.after());
    return new Layout(topology, before, after);
  }

  /** Creates the layout of a newer topology; reuses unchanged maps. */
  public Layout next(Topology newer) {
    return of(
        newer,
        members ->
            areAlike(members, topology.before())
                ? before
                : areAlike(members, topology.after()) ? after : SlotMap.of(members));
  }

  /** Returns whether the slot maps of two lists of members are equal. */
  private static boolean areAlike(List<Member> some, List<Member> others) {
    return inZones(some).equals(inZones(others));
  }

  private static List<Map.Entry<MemberId, String>> inZones(List<Member> members) {
    return members.stream().map(member -> Map.entry(member.id(), member.zone())).toList();
  }

  /** The topology of this layout. */
  public Topology topology() {
    return topology;
  }

  public long epoch() {
    return topology.epoch();
  }

  /** Largest number of copies that a request can use. */
  public int fromMax() {
    return fromMax;
  }

  /**
   * Plans a read of a key with this many copies.
   *
   * @throws IllegalArgumentException if {@code from} is less than 1
   */
  public ReplicaPlan reads(Key key, int from) {
    Plans plans = bySlot[Slots.of(key)];
    return from >= 1 && from <= READY ? plans.reads[from - 1] : plans.read(from);
  }

  /**
   * Plans a write of a key with this many copies.
   *
   * @throws IllegalArgumentException if {@code from} is less than 1
   */
  public ReplicaPlan writes(Key key, int from) {
    Plans plans = bySlot[Slots.of(key)];
    return from >= 1 && from <= READY ? plans.writes[from - 1] : plans.write(from);
  }

  /** The maps for reads: one, or two in phase {@code SETTLING}. */
  public List<SlotMap> readMaps() {
    return topology.phase() == Phase.SETTLING ? List.of(before, after) : List.of(before);
  }

  /** The map before the change; the only map when there is no change. */
  public SlotMap before() {
    return before;
  }

  /** The map after the change; the only map when there is no change. */
  public SlotMap after() {
    return after;
  }

  /** Returns whether a member keeps a record with this many copies, in at least one map. */
  public boolean keeps(MemberId member, Key key, int from) {
    return writes(key, from).replicas().contains(member);
  }

  /**
   * Returns whether a member keeps a record after the change and may lack it before. Either the
   * member did not keep it before, or fewer members than copies remain. In the second case no
   * member replaces the leaving one, and a majority of the members before may be a minority of
   * those after.
   */
  public boolean gains(MemberId member, Key key, int from) {
    return bySlot[Slots.of(key)].gains(member, from);
  }

  /** Returns whether a member gains any record. */
  public boolean gainsAnything(MemberId member) {
    for (Plans plans : distinct) {
      for (int from = 1; from <= Math.max(plans.old.size(), plans.next.size()); from++) {
        if (plans.gains(member, from)) {
          return true;
        }
      }
    }
    return false;
  }
}
