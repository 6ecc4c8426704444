package dev.kvorum.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LayoutTest {
  private static final MemberId JOINING = new MemberId("n3");
  private static final List<Key> KEYS =
      IntStream.range(0, 500).mapToObj(i -> Key.of("key " + i)).toList();

  private final Layout stable = Layout.of(Topology.stable("c", 1, members(3)));
  private final Layout transferring = stable.next(changing(2, Phase.TRANSFERRING));
  private final Layout settling = transferring.next(changing(3, Phase.SETTLING));
  private final Layout after = settling.next(Topology.stable("c", 4, members(4)));

  private static List<Member> members(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Member(new MemberId("n" + i), "", MemberState.ACTIVE))
        .toList();
  }

  private static Topology changing(long epoch, Phase phase) {
    List<Member> members = new ArrayList<>(members(3));
    members.add(new Member(JOINING, "", MemberState.JOINING));
    return new Topology("c", epoch, phase, members);
  }

  @Test
  void withoutAChangeOneSetIsReadAndWritten() {
    for (Key key : KEYS) {
      assertThat(stable.reads(key, 2)).isEqualTo(stable.writes(key, 2));
      assertThat(stable.reads(key, 2).sets()).hasSize(1);
      assertThat(stable.gains(JOINING, key, 3)).isFalse();
    }
    assertThat(stable.gainsAnything(JOINING)).isFalse();
  }

  @Test
  void whileCopiesAreMadeBothSetsAreWrittenAndTheOldOneIsRead() {
    for (Key key : KEYS) {
      List<MemberId> old = stable.reads(key, 3).replicas();
      List<MemberId> next = after.reads(key, 3).replicas();
      assertThat(transferring.reads(key, 3).replicas()).isEqualTo(old);
      assertThat(transferring.writes(key, 3).replicas())
          .containsAll(old)
          .containsAll(next)
          .hasSize(next.contains(JOINING) ? 4 : 3);
    }
  }

  @Test
  void whileItSettlesBothSetsAreReadToo() {
    for (Key key : KEYS) {
      assertThat(settling.reads(key, 3)).isEqualTo(settling.writes(key, 3));
      assertThat(settling.reads(key, 3).sets())
          .hasSize(settling.gains(JOINING, key, 3) ? 2 : 1)
          .allSatisfy(set -> assertThat(set).hasSize(3));
    }
  }

  @Test
  void gainedIsWhatIsKeptAfterwardsAndWasNotBefore() {
    for (Key key : KEYS) {
      for (int from = 1; from <= 4; from++) {
        boolean kept = after.reads(key, from).replicas().contains(JOINING);
        assertThat(transferring.gains(JOINING, key, from)).isEqualTo(kept);
        assertThat(transferring.keeps(JOINING, key, from)).isEqualTo(kept);
      }
    }
    assertThat(transferring.gainsAnything(JOINING)).isTrue();
  }

  @Test
  void whereFewerAreLeftThanCopiesWereAskedForEachGainsAll() {
    List<Member> members = new ArrayList<>(members(5));
    members.set(4, new Member(new MemberId("n4"), "", MemberState.LEAVING));
    Layout leaving = Layout.of(new Topology("c", 2, Phase.TRANSFERRING, members));
    for (Key key : KEYS) {
      // Acknowledged by three of five, it may be with two of four when one of the three leaves.
      assertThat(members(4)).allMatch(member -> leaving.gains(member.id(), key, 5));
      List<MemberId> kept = leaving.reads(key, 3).replicas();
      assertThat(kept).noneMatch(member -> leaving.gains(member, key, 3));
    }
    assertThat(members(4)).allMatch(member -> leaving.gainsAnything(member.id()));
    assertThat(leaving.gainsAnything(new MemberId("n4"))).isFalse();
  }

  @Test
  void aMemberThatMovesIsPlacedByBothZones() {
    List<Member> old = inZones("a", "b", "c", "a", "b", "c");
    List<Member> next = inZones("a", "b", "b", "a", "b", "c");
    List<Member> moving = new ArrayList<>(old);
    moving.set(2, new Member(old.get(2).id(), "c", MemberState.MOVING, "b"));
    Layout moves =
        Layout.of(Topology.stable("c", 1, old))
            .next(new Topology("c", 2, Phase.TRANSFERRING, moving));
    Layout moved = Layout.of(Topology.stable("c", 3, next));
    for (Key key : KEYS) {
      List<MemberId> before = SlotMap.of(old).preferenceList(key).replicas(3);
      List<MemberId> after = moved.reads(key, 3).replicas();
      assertThat(moves.reads(key, 3).replicas()).isEqualTo(before);
      assertThat(moves.writes(key, 3).replicas()).containsAll(before).containsAll(after);
      for (Member member : old) {
        assertThat(moves.gains(member.id(), key, 3))
            .isEqualTo(after.contains(member.id()) && !before.contains(member.id()));
      }
    }
    assertThat(moves.gainsAnything(old.get(5).id())).as("alone in its zone now").isTrue();
    Layout done = moves.next(Topology.stable("c", 3, next));
    assertThat(done.before()).isSameAs(moves.after());
  }

  private static List<Member> inZones(String... zones) {
    return IntStream.range(0, zones.length)
        .mapToObj(i -> new Member(new MemberId("n" + i), zones[i], MemberState.ACTIVE))
        .toList();
  }

  @Test
  void noMoreCopiesCanBeAskedForThanBothSidesHaveMembers() {
    assertThat(List.of(stable.fromMax(), transferring.fromMax(), after.fromMax()))
        .containsExactly(3, 3, 4);
  }

  @Test
  void aPlanInAnotherOrderHasTheSameSets() {
    Key key =
        KEYS.stream().filter(one -> settling.gains(JOINING, one, 3)).findFirst().orElseThrow();
    ReplicaPlan plan = settling.reads(key, 3);
    MemberId[] order = plan.replicas().reversed().toArray(MemberId[]::new);
    ReplicaPlan turned = plan.inOrder(order);
    assertThat(named(turned)).isEqualTo(named(plan));
    assertThat(turned.replicas()).containsExactly(order);
  }

  private static List<List<MemberId>> named(ReplicaPlan plan) {
    return plan.sets().stream()
        .map(set -> set.stream().map(plan.replicas()::get).toList())
        .toList();
  }

  @Test
  void aMapThatStaysIsTakenOver() {
    assertThat(transferring.before()).isSameAs(stable.before());
    assertThat(settling.after()).isSameAs(transferring.after());
    assertThat(after.before()).isSameAs(settling.after());
  }
}
