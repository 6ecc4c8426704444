package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.metrics.Meters;
import dev.kvorum.rpc.FenceNotice;
import dev.kvorum.rpc.PeerReleases;
import dev.kvorum.rpc.ProcessId;
import dev.kvorum.rpc.ProcessRegistry;
import dev.kvorum.rpc.ScriptedTransport;
import dev.kvorum.rpc.WireDoor;
import dev.kvorum.topology.MemberId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PeerReachTest {
  private static final MemberId N1 = new MemberId("n1");
  private static final MemberId N2 = new MemberId("n2");

  private final ProcessRegistry processes =
      new ProcessRegistry(new Meters(new SimpleMeterRegistry()).rpc());
  private final PeerReleases releases = WireDoor.releases();
  private final ScriptedTransport transport = new ScriptedTransport();
  private final Set<MemberId> clocks = new HashSet<>();
  private final PeerReach reach =
      new PeerReach(
          () -> List.of(N1, N2), List.of(transport), processes, releases, clocks::contains);

  private void connect(MemberId peer) {
    ProcessRegistry.Link link =
        new ProcessRegistry.Link() {
          @Override
          public boolean isInbound() {
            return true;
          }

          @Override
          public void fence(FenceNotice notice) {}

          @Override
          public void cutOff(String why) {}
        };
    assertThat(WireDoor.enterIncoming(processes, peer, new ProcessId(1, 1), 1, link)).isEmpty();
  }

  @Test
  void isCompleteOnceTheClockOfEachConnectedPeerIsRead() {
    connect(N1);
    connect(N2);
    clocks.add(N1);
    assertThat(reach.isComplete()).as("the clock of n2 is not known").isFalse();
    clocks.add(N2);
    assertThat(reach.isComplete()).isTrue();
  }

  @Test
  void doesNotWaitForTheClockOfAPeerThatRejectsConnections() {
    connect(N1);
    clocks.add(N1);
    assertThat(reach.isComplete()).isTrue();
    assertThat(reach.isMajorityRejecting()).isFalse();
  }

  @Test
  void knowsWhenTooManyPeersRejectConnectionsForAMajority() {
    assertThat(reach.isMajorityRejecting()).isTrue();
  }

  @Test
  void knowsWhenTooManyPeersHaveOnlyOtherProtocols() {
    WireDoor.noteProtocols(releases, N1, 100, 101);
    assertThat(reach.isMajorityIncompatible()).isFalse();
    WireDoor.noteProtocols(releases, N2, 1, 1);
    assertThat(reach.isMajorityIncompatible()).isTrue();
    WireDoor.noteProtocols(releases, N2, 1, 100);
    assertThat(reach.isMajorityIncompatible()).isFalse();
  }
}
