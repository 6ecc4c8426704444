package dev.kvorum.topology;

import static dev.kvorum.topology.MemberState.ACTIVE;
import static dev.kvorum.topology.MemberState.JOINING;
import static dev.kvorum.topology.MemberState.MOVING;
import static dev.kvorum.topology.MemberState.REMOVING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopologyTest {
  @Test
  void sortsItsMembersByName() {
    Topology topology = Topology.stable("c", 1, List.of(member("b"), member("c"), member("a")));

    assertThat(topology.names()).isEqualTo("a,b,c");
    assertThat(topology).isEqualTo(Topology.stable("c", 1, members("a", "b", "c")));
  }

  @Test
  void findsMembersByName() {
    Topology topology = Topology.stable("c", 1, members("a", "b"));

    assertThat(topology.member(new MemberId("b"))).contains(member("b"));
    assertThat(topology.member(new MemberId("x"))).isEmpty();
  }

  @Test
  void hasASourceBesideAMemberOnlyWhileAnotherHoldsRecords() {
    MemberId self = new MemberId("a");
    for (MemberState state : MemberState.values()) {
      Member other = new Member(new MemberId("b"), "z", state, state == MOVING ? "y" : "z");
      Phase phase = state == ACTIVE ? Phase.STABLE : Phase.TRANSFERRING;
      assertThat(new Topology("c", 2, phase, List.of(member("a"), other)).hasSourceBeside(self))
          .as(state.name())
          .isEqualTo(state != JOINING && state != REMOVING);
    }
    assertThat(Topology.stable("c", 1, members("a")).hasSourceBeside(self)).isFalse();
  }

  @Test
  void keepsItsOwnListOfMembers() {
    List<Member> members = new ArrayList<>(members("a"));
    Topology topology = Topology.stable("c", 1, members);
    members.add(member("b"));

    assertThat(topology.names()).isEqualTo("a");
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> topology.members().add(member("b")));
  }

  @Test
  void rejectsNoMembersAndTooMany() {
    List<Member> most =
        IntStream.range(0, Topology.MEMBERS_MAX).mapToObj(i -> member("m-" + i)).toList();
    assertThat(Topology.stable("c", 1, most).members()).hasSize(Topology.MEMBERS_MAX);
    List<Member> tooMany = new ArrayList<>(most);
    tooMany.add(member("one-more"));

    assertThatIllegalArgumentException().isThrownBy(() -> Topology.stable("c", 1, tooMany));
    assertThatIllegalArgumentException().isThrownBy(() -> Topology.stable("c", 1, List.of()));
  }

  @Test
  void rejectsTheSameNameTwice() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topology.stable("c", 1, members("a", "a")))
        .withMessageContaining("listed twice");
  }

  @Test
  void aMemberMovesFromOneZoneToAnother() {
    Member moving = new Member(new MemberId("b"), "x", MemberState.MOVING, "y");
    Topology topology = new Topology("c", 2, Phase.TRANSFERRING, List.of(member("a"), moving));

    assertThat(topology.before())
        .containsExactly(member("a"), new Member(moving.id(), "x", MemberState.ACTIVE));
    assertThat(topology.after())
        .containsExactly(member("a"), new Member(moving.id(), "y", MemberState.ACTIVE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topology.stable("c", 2, List.of(moving)))
        .withMessageContaining("all members are active");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Member(moving.id(), "x", MemberState.MOVING));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Member(moving.id(), "x", MemberState.ACTIVE, "y"));
  }

  private static List<Member> members(String... names) {
    return List.of(names).stream().map(TopologyTest::member).toList();
  }

  private static Member member(String name) {
    return new Member(new MemberId(name), "", MemberState.ACTIVE);
  }
}
