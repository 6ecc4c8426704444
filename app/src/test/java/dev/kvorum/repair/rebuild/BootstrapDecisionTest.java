package dev.kvorum.repair.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.replica.RepairReply.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class BootstrapDecisionTest {
  private static final Status BLANK = new Status(true, false, true, false, false, 0, 0, 1);
  private static final Status TOGETHER = new Status(false, true, false, false, false, 0, 0, 1);
  private static final Status COMPLETE = new Status(false, false, false, false, false, 0, 0, 1);
  private static final Status REBUILDING = new Status(false, false, true, false, false, 0, 0, 1);

  @Test
  void aMajorityThatNeverHeldAnythingIsANewCluster() {
    assertThat(BootstrapDecision.of(false, true, 1, List.of()))
        .isEqualTo(BootstrapDecision.NEW_CLUSTER);
    assertThat(BootstrapDecision.of(false, true, 3, List.of())).isEqualTo(BootstrapDecision.WAIT);
    assertThat(BootstrapDecision.of(false, true, 3, List.of(BLANK)))
        .isEqualTo(BootstrapDecision.NEW_CLUSTER);
    assertThat(BootstrapDecision.of(false, true, 4, List.of(BLANK)))
        .isEqualTo(BootstrapDecision.WAIT);
    assertThat(BootstrapDecision.of(false, true, 5, List.of(BLANK, BLANK)))
        .isEqualTo(BootstrapDecision.NEW_CLUSTER);
  }

  @Test
  void oneThatHoldsSomethingIsCopiedFromWhateverTheOthersReport() {
    assertThat(BootstrapDecision.of(false, true, 5, List.of(BLANK, BLANK, COMPLETE)))
        .isEqualTo(BootstrapDecision.REBUILD);
    assertThat(BootstrapDecision.of(false, true, 5, List.of(BLANK, BLANK, REBUILDING)))
        .isEqualTo(BootstrapDecision.REBUILD);
  }

  @Test
  void whoSawTheClusterBeginVouchesForTheOthersOfThatMoment() {
    assertThat(BootstrapDecision.of(false, true, 3, List.of(TOGETHER)))
        .isEqualTo(BootstrapDecision.FOUNDED_TOGETHER);
    assertThat(BootstrapDecision.of(false, true, 5, List.of(TOGETHER, COMPLETE)))
        .isEqualTo(BootstrapDecision.FOUNDED_TOGETHER);
  }

  @Test
  void aBlankMajorityOfAFoundedClusterIsNoNewOne() {
    assertThat(BootstrapDecision.of(true, true, 1, List.of()))
        .isEqualTo(BootstrapDecision.DISKS_LOST);
    assertThat(BootstrapDecision.of(true, true, 3, List.of())).isEqualTo(BootstrapDecision.WAIT);
    assertThat(BootstrapDecision.of(true, true, 3, List.of(BLANK, BLANK)))
        .isEqualTo(BootstrapDecision.DISKS_LOST);
    assertThat(BootstrapDecision.of(true, true, 3, List.of(BLANK, COMPLETE)))
        .isEqualTo(BootstrapDecision.REBUILD);
    assertThat(BootstrapDecision.of(true, true, 3, List.of(TOGETHER)))
        .isEqualTo(BootstrapDecision.FOUNDED_TOGETHER);
  }

  @Test
  void aStoreThatWasLostIsNeverTakenForANewOne() {
    assertThat(BootstrapDecision.of(false, false, 1, List.of()))
        .isEqualTo(BootstrapDecision.REBUILD);
    assertThat(BootstrapDecision.of(false, false, 3, List.of(BLANK, BLANK)))
        .isEqualTo(BootstrapDecision.REBUILD);
    assertThat(BootstrapDecision.of(false, false, 3, List.of(TOGETHER)))
        .isEqualTo(BootstrapDecision.REBUILD);
  }
}
