package dev.kvorum.repair.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.placement.SlotMap;
import dev.kvorum.placement.Slots;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlotRecoveryTest {
  private final long seed = Seeds.seed();
  private final Random random = new Random(seed);

  private static List<MemberId> members(int count) {
    return IntStream.range(0, count).mapToObj(i -> new MemberId("m" + i)).toList();
  }

  private static SlotMap slots(List<MemberId> members) {
    return SlotMap.of(members.stream().map(id -> new Member(id, "", MemberState.ACTIVE)).toList());
  }

  @Test
  void oneOfThreeNeedsBothOthers() {
    List<MemberId> members = members(3);
    SlotRecovery tracker = new SlotRecovery(List.of(slots(members)), members.get(0));
    assertThat(tracker.back().cardinality()).isZero();
    tracker.completed(members.get(1), false);
    assertThat(tracker.back().cardinality()).isZero();
    tracker.completed(members.get(2), false);
    assertThat(tracker.back().cardinality()).isEqualTo(Slots.COUNT);
  }

  @Test
  void whatOtherEmptiedOnesHaveIsWhatThereIs() {
    List<MemberId> members = members(3);
    SlotRecovery tracker = new SlotRecovery(List.of(slots(members)), members.get(0));
    tracker.completed(members.get(1), true);
    assertThat(tracker.back().cardinality()).isZero();
    tracker.completed(members.get(2), true);
    assertThat(tracker.back().cardinality()).isEqualTo(Slots.COUNT);
  }

  @Test
  void anEmptiedSourceDoesNotCountAsAFullOne() {
    List<MemberId> members = members(5);
    SlotRecovery tracker = new SlotRecovery(List.of(slots(members)), members.get(0));
    tracker.completed(members.get(1), true);
    tracker.completed(members.get(2), false);
    tracker.completed(members.get(3), false);
    assertThat(tracker.back().cardinality()).isZero();
    tracker.completed(members.get(4), false);
    assertThat(tracker.back().cardinality()).isEqualTo(Slots.COUNT);
  }

  /**
   * No write that a majority of its replicas took is missing where a slot is reported as recovered.
   */
  @Test
  void noAcknowledgedWriteIsMissingFromASlotThatIsBack() {
    int back = 0;
    for (int round = 0; round < 500; round++) {
      List<MemberId> members = members(1 + random.nextInt(7));
      SlotMap slots = slots(members);
      List<MemberId> shuffled = new ArrayList<>(members);
      Collections.shuffle(shuffled, random);
      MemberId self = shuffled.getFirst();
      // A minority lost its disks, this member among them; some of the others were copied from.
      Set<MemberId> emptied =
          new HashSet<>(shuffled.subList(0, Math.max(1, random.nextInt((members.size() + 1) / 2))));
      Set<MemberId> copied = new HashSet<>();
      SlotRecovery tracker = new SlotRecovery(List.of(slots), self);
      for (MemberId other : shuffled.subList(1, shuffled.size())) {
        if (random.nextInt(4) > 0) {
          tracker.completed(other, emptied.contains(other));
          copied.add(other);
        }
      }
      BitSet slotsBack = tracker.back();
      for (int i = 0; i < 50; i++) {
        int slot = random.nextInt(Slots.COUNT);
        int from = 1 + random.nextInt(members.size());
        List<MemberId> replicas = new ArrayList<>(slots.preferenceList(slot).replicas(from));
        if (slotsBack.get(slot) && replicas.contains(self)) {
          back++;
          Collections.shuffle(replicas, random);
          List<MemberId> tookIt = replicas.subList(0, from / 2 + 1);
          boolean lostForAll = emptied.containsAll(tookIt);
          assertThat(lostForAll || tookIt.stream().anyMatch(m -> holds(m, copied, emptied)))
              .as(
                  "seed %d: %s of %s, copied %s, emptied %s",
                  seed, tookIt, replicas, copied, emptied)
              .isTrue();
        }
      }
    }
    assertThat(back).isPositive();
  }

  private static boolean holds(MemberId member, Set<MemberId> copied, Set<MemberId> emptied) {
    return copied.contains(member) && !emptied.contains(member);
  }
}
