package dev.kvorum.placement;

import dev.kvorum.placement.table.JoinOrder;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Members to place, and counts over the maps that come out. */
final class Clusters {
  private Clusters() {}

  static Member member(String name, String zone) {
    return new Member(new MemberId(name), zone, MemberState.ACTIVE);
  }

  /** {@code kvorum-0} and so on, their zones in turn; one unknown zone when there are 0. */
  static List<Member> numbered(int members, int zones) {
    List<Member> numbered = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      numbered.add(member("kvorum-" + i, zones == 0 ? "" : "zone-" + i % zones));
    }
    return numbered;
  }

  /** Random names in join order; the zones are of equal size give or take one, and shuffled. */
  static List<Member> random(int members, int zones, RandomGenerator random) {
    List<Integer> shuffled = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      shuffled.add(zones == 0 ? 0 : i % zones);
    }
    Collections.shuffle(shuffled, random);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      names.add("m" + Long.toHexString(random.nextLong()));
    }
    names.sort(new JoinOrder());
    List<Member> named = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      named.add(member(names.get(i), "zone-" + shuffled.get(i)));
    }
    return named;
  }

  /** In how many slots each member is among the first {@code from}. */
  static Map<MemberId, Integer> held(SlotMap map, int from) {
    Map<MemberId, Integer> held = new HashMap<>();
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      for (MemberId member : map.preferenceList(slot).replicas(from)) {
        held.merge(member, 1, Integer::sum);
      }
    }
    return held;
  }

  /** Copies of slots that a member holds after a change and did not hold before it. */
  static int moved(SlotMap before, SlotMap after, int from) {
    int moved = 0;
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      List<MemberId> old = before.preferenceList(slot).replicas(from);
      for (MemberId member : after.preferenceList(slot).replicas(from)) {
        moved += old.contains(member) ? 0 : 1;
      }
    }
    return moved;
  }
}
