package dev.kvorum.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.replica.SyncReply.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalTest {
  private static final Status BLANK = new Status(true, false, true, false, false, 0, 0, 1);
  private static final Status TOGETHER = new Status(false, true, false, false, false, 0, 0, 1);
  private static final Status WHOLE = new Status(false, false, false, false, false, 0, 0, 1);
  private static final Status REBUILDING = new Status(false, false, true, false, false, 0, 0, 1);

  @Test
  void aMajorityThatNeverHeldAnythingIsANewCluster() {
    assertThat(Arrival.of(false, true, 1, List.of())).isEqualTo(Arrival.NEW_CLUSTER);
    assertThat(Arrival.of(false, true, 3, List.of())).isEqualTo(Arrival.WAIT);
    assertThat(Arrival.of(false, true, 3, List.of(BLANK))).isEqualTo(Arrival.NEW_CLUSTER);
    assertThat(Arrival.of(false, true, 4, List.of(BLANK))).isEqualTo(Arrival.WAIT);
    assertThat(Arrival.of(false, true, 5, List.of(BLANK, BLANK))).isEqualTo(Arrival.NEW_CLUSTER);
  }

  @Test
  void oneThatHoldsSomethingIsCopiedFromWhateverTheOthersSay() {
    assertThat(Arrival.of(false, true, 5, List.of(BLANK, BLANK, WHOLE))).isEqualTo(Arrival.REBUILD);
    assertThat(Arrival.of(false, true, 5, List.of(BLANK, BLANK, REBUILDING)))
        .isEqualTo(Arrival.REBUILD);
  }

  @Test
  void whoSawTheClusterBeginVouchesForTheOthersOfThatMoment() {
    assertThat(Arrival.of(false, true, 3, List.of(TOGETHER))).isEqualTo(Arrival.BORN_TOGETHER);
    assertThat(Arrival.of(false, true, 5, List.of(TOGETHER, WHOLE)))
        .isEqualTo(Arrival.BORN_TOGETHER);
  }

  @Test
  void aBlankMajorityOfAFoundedClusterIsNoNewOne() {
    assertThat(Arrival.of(true, true, 1, List.of())).isEqualTo(Arrival.DISKS_LOST);
    assertThat(Arrival.of(true, true, 3, List.of())).isEqualTo(Arrival.WAIT);
    assertThat(Arrival.of(true, true, 3, List.of(BLANK, BLANK))).isEqualTo(Arrival.DISKS_LOST);
    assertThat(Arrival.of(true, true, 3, List.of(BLANK, WHOLE))).isEqualTo(Arrival.REBUILD);
    assertThat(Arrival.of(true, true, 3, List.of(TOGETHER))).isEqualTo(Arrival.BORN_TOGETHER);
  }

  @Test
  void aStoreThatWasLostIsNeverTakenForANewOne() {
    assertThat(Arrival.of(false, false, 1, List.of())).isEqualTo(Arrival.REBUILD);
    assertThat(Arrival.of(false, false, 3, List.of(BLANK, BLANK))).isEqualTo(Arrival.REBUILD);
    assertThat(Arrival.of(false, false, 3, List.of(TOGETHER))).isEqualTo(Arrival.REBUILD);
  }
}
