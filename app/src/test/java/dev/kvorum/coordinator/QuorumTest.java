package dev.kvorum.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class QuorumTest {
  @Test
  void majorityQuorumsOfOneKeyAlwaysMeetInAReplica() {
    for (int from = 1; from <= 127; from++) {
      assertThat(2 * Quorum.majorityOf(from)).isGreaterThan(from);
      assertThat(2 * (Quorum.majorityOf(from) - 1)).isLessThanOrEqualTo(from);
      for (int ack = 1; ack <= from; ack++) {
        assertThat(new Quorum(ack, from).isMajority()).isEqualTo(2 * ack > from);
      }
    }
  }

  @Test
  void whatIsNotGivenIsTheMajorityOfTheClustersReplication() {
    assertThat(Quorum.of(null, null, 3, 5)).isEqualTo(new Quorum(2, 3));
    assertThat(Quorum.of(null, 5, 3, 5)).isEqualTo(new Quorum(3, 5));
    assertThat(Quorum.of(1, null, 3, 5)).isEqualTo(new Quorum(1, 3));
    assertThat(Quorum.of(4, 4, 3, 5)).isEqualTo(new Quorum(4, 4));
  }

  @Test
  void aClusterWithFewerMembersThanItsReplicationUsesThemAll() {
    assertThat(Quorum.of(null, null, 3, 1)).isEqualTo(new Quorum(1, 1));
    assertThat(Quorum.of(null, null, 3, 2)).isEqualTo(new Quorum(2, 2));
  }

  @Test
  void whatCannotBeIsRejectedWithAMessageForTheClient() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quorum.of(0, 3, 3, 3))
        .withMessage("ack is 0; it must be at least 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quorum.of(1, 0, 3, 3))
        .withMessage("from is 0; it must be 1 to 127");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quorum.of(1, -1, 3, 3))
        .withMessage("from is -1; it must be 1 to 127");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quorum.of(null, -5, 3, 3))
        .withMessage("from is -5; it must be 1 to 127");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quorum.of(4, 3, 3, 3))
        .withMessageContaining("ack must not be more than from");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quorum.of(3, null, 3, 2))
        .withMessageContaining("ack must not be more than from");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quorum.of(1, 4, 3, 3))
        .withMessage("from is 4; the cluster has 3 members");
  }
}
