package dev.kvorum.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PreferenceListTest {
  private final List<MemberId> members =
      IntStream.range(0, 8).mapToObj(i -> new MemberId("m-" + i)).toList();
  private final PreferenceList list = new PreferenceList(members);

  @Test
  void replicasAreThePrefix() {
    for (int from = 1; from <= members.size(); from++) {
      assertThat(list.replicas(from)).isEqualTo(members.subList(0, from));
    }
    assertThat(list.size()).isEqualTo(8);
    assertThat(list.get(7)).isEqualTo(new MemberId("m-7"));
  }

  @Test
  void moreCopiesThanMembersAreAllMembers() {
    assertThat(list.replicas(127)).isEqualTo(members);
  }

  @Test
  void usualPrefixesAreMadeOnce() {
    assertThat(list.replicas(3)).isSameAs(list.replicas(3));
  }

  @Test
  void rejectsNoCopiesAndRanksThatAreNotThere() {
    assertThatIllegalArgumentException().isThrownBy(() -> list.replicas(0));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.get(8));
  }

  @Test
  void cannotBeChanged() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> list.replicas(2).add(new MemberId("m-9")));
  }
}
