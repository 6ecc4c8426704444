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
 * Where records are read and written under one topology: by one slot map or, while the members
 * change, by those of the members before and after ({@code docs/adr/0011}). Plans for up to five
 * copies are made beforehand.
 */
public final class Layout {
  private static final int READY = 5;

  private final Topology topology;
  private final SlotMap before;
  private final SlotMap after;
  private final int fromMax;
  private final Plans[] bySlot = new Plans[Slots.COUNT];
  private final List<Plans> distinct;

  /** What the slots of one pair of preference lists share. */
  private final class Plans {
    private final PreferenceList old;
    private final PreferenceList next;
    private final ReplicaPlan[] reads = new ReplicaPlan[READY];
    private final ReplicaPlan[] writes = new ReplicaPlan[READY];

    Plans(PreferenceList old, PreferenceList next) {
      this.old = old;
      this.next = next;
      for (int from = 1; from <= READY; from++) {
        reads[from - 1] = read(from);
        writes[from - 1] = write(from);
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

  /** The layout of a topology. */
  public static Layout of(Topology topology) {
    return of(topology, SlotMap::of);
  }

  /** The layout of a topology whose slot maps may be known already. */
  public static Layout of(Topology topology, Function<List<Member>, SlotMap> maps) {
    SlotMap before = maps.apply(topology.before());
    SlotMap after = topology.phase() == Phase.STABLE ? before : maps.apply(topology.after());
    return new Layout(topology, before, after);
  }

  /** The layout of a newer topology; maps that stay are taken over. */
  public Layout next(Topology newer) {
    return of(
        newer,
        members ->
            areAlike(members, topology.before())
                ? before
                : areAlike(members, topology.after()) ? after : SlotMap.of(members));
  }

  /** Whether the slot maps of two lists of members are equal. */
  private static boolean areAlike(List<Member> some, List<Member> others) {
    return inZones(some).equals(inZones(others));
  }

  private static List<Map.Entry<MemberId, String>> inZones(List<Member> members) {
    return members.stream().map(member -> Map.entry(member.id(), member.zone())).toList();
  }

  /** The topology that this follows from. */
  public Topology topology() {
    return topology;
  }

  public long epoch() {
    return topology.epoch();
  }

  /** Most copies that can be asked for. */
  public int fromMax() {
    return fromMax;
  }

  /**
   * Whom to ask for a key of which there are so many copies.
   *
   * @throws IllegalArgumentException when {@code from} is less than 1
   */
  public ReplicaPlan reads(Key key, int from) {
    Plans plans = bySlot[Slots.of(key)];
    return from >= 1 && from <= READY ? plans.reads[from - 1] : plans.read(from);
  }

  /**
   * Who has to take a write of so many copies.
   *
   * @throws IllegalArgumentException when {@code from} is less than 1
   */
  public ReplicaPlan writes(Key key, int from) {
    Plans plans = bySlot[Slots.of(key)];
    return from >= 1 && from <= READY ? plans.writes[from - 1] : plans.write(from);
  }

  /** The maps by which records are read: one, or two while a change settles. */
  public List<SlotMap> readMaps() {
    return topology.phase() == Phase.SETTLING ? List.of(before, after) : List.of(before);
  }

  /** The map before the change; the only one when there is none. */
  public SlotMap before() {
    return before;
  }

  /** The map after the change; the only one when there is none. */
  public SlotMap after() {
    return after;
  }

  /** Whether a member keeps a record of so many copies, in one map at least. */
  public boolean keeps(MemberId member, Key key, int from) {
    return writes(key, from).replicas().contains(member);
  }

  /**
   * Whether a member keeps a record after the change, and may lack it before: no member has kept it
   * there, or fewer members are left than copies were asked for, so that no member replaces the
   * leaving one, and a majority of those before may be a minority of those after.
   */
  public boolean gains(MemberId member, Key key, int from) {
    return bySlot[Slots.of(key)].gains(member, from);
  }

  /** Whether a member gains any record there may be. */
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
