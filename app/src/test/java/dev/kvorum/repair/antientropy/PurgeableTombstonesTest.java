package dev.kvorum.repair.antientropy;

import static dev.kvorum.repair.RepairHarness.AGE_MIN;
import static dev.kvorum.repair.RepairHarness.HORIZON;
import static dev.kvorum.repair.RepairHarness.INTERVAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.Version;
import dev.kvorum.repair.RepairHarness;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.topology.MemberId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Up to which stamp a member may remove tombstones, rule by rule. */
class PurgeableTombstonesTest {
  private final RepairHarness harness = new RepairHarness(3).start();
  private final MemberId one = harness.members.get(1);
  private final MemberId other = harness.members.get(2);
  private final BackgroundContext context = harness.site(0).context;
  // Not those of the harness's member, whose sessions change them.
  private final RepairMarks marks =
      new RepairMarks(new MemoryStore(), Runnable::run, context::majorityMillis);
  private final PeerWatermarks watermarks = new PeerWatermarks(context, harness.settings);
  private final TombstonePurger purger =
      new TombstonePurger(context, harness.settings, marks, watermarks, () -> true);
  private final long cut = Version.stampOf(harness.wallMillis() - 500);
  private final long old = cut - Version.stampOf(AGE_MIN.toMillis());

  @BeforeEach
  void scan() {
    watermarks.scanBegins(cut);
  }

  /** A peer has all that this member held at the cut. */
  private void hasAll(MemberId peer) {
    watermarks.pulled(peer, cut);
  }

  /** This member has all that a peer held at the cut. */
  private void pulledFrom(MemberId peer) {
    marks.keep(RepairMarks.pulledName(peer), cut, kept -> assertThat(kept).isTrue());
  }

  @Test
  void thoseThatAreOldAtACutAtWhichAllMembersHaveThem() {
    hasAll(one);
    hasAll(other);
    pulledFrom(one);
    pulledFrom(other);
    assertThat(purger.purgeableUpTo()).isEqualTo(old);
  }

  @Test
  void noneThatAPeerMayLack() {
    hasAll(one);
    pulledFrom(one);
    pulledFrom(other);
    assertThat(purger.purgeableUpTo()).isZero();
  }

  @Test
  void noneBeforeThisMemberHasPulledFromEachPeer() {
    hasAll(one);
    hasAll(other);
    pulledFrom(one);
    assertThat(purger.purgeableUpTo()).isZero();
  }

  @Test
  void aPeerCountsAgainAtItsFirstContact() {
    hasAll(one);
    pulledFrom(one);
    harness.pass(HORIZON.plus(INTERVAL));
    assertThat(purger.purgeableUpTo()).as("without a majority").isZero();
    purger.contacted(one);
    assertThat(purger.purgeableUpTo()).as("without the peer that is away").isEqualTo(old);
    purger.contacted(other);
    assertThat(purger.purgeableUpTo()).as("with a peer that is back").isZero();
  }
}
