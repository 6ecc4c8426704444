package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.rpc.FenceNotice.Reason;
import dev.kvorum.topology.MemberId;
import org.junit.jupiter.api.Test;

class FenceTest {
  private static final MemberId C = new MemberId("c");
  private static final ProcessId OTHER = new ProcessId(2, 3);

  private final Fence fence = new Fence();

  @Test
  void aDuplicateIsFencedUntilEachMemberThatRejectedItAdmitsIt() {
    fence.rejectedBy(Wire.B, new FenceNotice(Reason.DUPLICATE, OTHER));
    fence.rejectedBy(C, new FenceNotice(Reason.DUPLICATE, OTHER));
    assertThat(fence.isRaised()).isTrue();
    fence.admittedBy(Wire.B);
    fence.admittedBy(Wire.B);
    assertThat(fence.isRaised()).isTrue();
    fence.admittedBy(C);
    assertThat(fence.isRaised()).isFalse();
    assertThat(fence.isSuperseded()).isFalse();
  }

  @Test
  void aRejectionThatComesLateEndsWithTheNextAnswer() {
    long before = fence.rejections();
    fence.rejectedBy(Wire.B, new FenceNotice(Reason.DUPLICATE, OTHER));
    fence.admittedBy(Wire.B, before);
    assertThat(fence.isRaised()).as("asked before the rejection came").isTrue();
    fence.admittedBy(Wire.B, fence.rejections());
    assertThat(fence.isRaised()).isFalse();
  }

  @Test
  void aMemberThatRejectedIsNamedAndCountsWhileItCannotBeReached() {
    fence.notReached(C);
    fence.rejectedBy(Wire.B, new FenceNotice(Reason.DUPLICATE, OTHER));
    fence.notReached(Wire.B);
    fence.admittedBy(C);
    assertThat(fence.isRaised()).isTrue();
    assertThat(fence.rejecting()).containsExactly(Wire.B);
    assertThat(fence.unreached()).as("C never rejected").containsExactly(Wire.B);
    fence.rejectedBy(Wire.B, new FenceNotice(Reason.DUPLICATE, OTHER));
    assertThat(fence.unreached()).as("it is back").isEmpty();
  }

  @Test
  void aSupersededProcessStaysFenced() {
    fence.rejectedBy(Wire.B, new FenceNotice(Reason.DUPLICATE, OTHER));
    fence.rejectedBy(Wire.B, new FenceNotice(Reason.SUPERSEDED, OTHER));
    fence.admittedBy(Wire.B);
    assertThat(fence.isRaised()).isTrue();
    assertThat(fence.isSuperseded()).isTrue();
  }
}
