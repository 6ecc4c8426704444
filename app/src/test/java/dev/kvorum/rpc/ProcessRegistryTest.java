package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.metrics.Meters;
import dev.kvorum.rpc.FenceNotice.Reason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProcessRegistryTest {
  private static final ProcessId FIRST = new ProcessId(7, 10);
  private static final ProcessId LATER = new ProcessId(7, 11);
  private static final ProcessId OTHER_DISK = new ProcessId(8, 5);

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final ProcessRegistry registry = new ProcessRegistry(new Meters(meters).rpc());
  private final List<FakeLink> links = new ArrayList<>();

  private static final class FakeLink implements ProcessRegistry.Link {
    private final boolean inbound;
    private final List<FenceNotice> notices = new ArrayList<>();

    FakeLink(boolean inbound) {
      this.inbound = inbound;
    }

    @Override
    public boolean isInbound() {
      return inbound;
    }

    @Override
    public void fence(FenceNotice notice) {
      notices.add(notice);
    }

    @Override
    public void cutOff(String why) {}
  }

  private Optional<FenceNotice> enter(ProcessId process, boolean inbound) {
    FakeLink link = new FakeLink(inbound);
    links.add(link);
    return registry.enter(Wire.B, process, 2, link);
  }

  private Optional<FenceNotice> enter(ProcessId process) {
    return enter(process, true);
  }

  private void leaveAll() {
    links.forEach(link -> registry.leave(Wire.B, link));
  }

  private double fenced(Reason reason) {
    return meters.get("kvorum.rpc.fenced").tag("reason", reason.label()).counter().count();
  }

  @Test
  void aLaterProcessOnTheSameDirectoryClosesTheConnectionsOfTheOlderOneInBothDirections() {
    enter(FIRST, true);
    enter(FIRST, false);
    assertThat(enter(LATER)).isEmpty();
    FenceNotice notice = new FenceNotice(Reason.SUPERSEDED, LATER);
    assertThat(links.get(0).notices).containsExactly(notice);
    assertThat(links.get(1).notices).containsExactly(notice);
    assertThat(links.get(2).notices).isEmpty();
    assertThat(registry.current(Wire.B)).contains(LATER);
  }

  @Test
  void anOlderProcessIsRejectedEvenOnceTheLaterOneIsGone() {
    enter(LATER);
    assertThat(enter(FIRST)).contains(new FenceNotice(Reason.SUPERSEDED, LATER));
    leaveAll();
    assertThat(enter(FIRST, false)).contains(new FenceNotice(Reason.SUPERSEDED, LATER));
    assertThat(fenced(Reason.SUPERSEDED)).isEqualTo(2);
  }

  @Test
  void aProcessWithAnotherDirectoryWaitsUntilTheOneThatIsConnectedIsGone() {
    enter(FIRST, false);
    assertThat(enter(OTHER_DISK)).contains(new FenceNotice(Reason.DUPLICATE, FIRST));
    assertThat(fenced(Reason.DUPLICATE)).isEqualTo(1);
    assertThat(links.getFirst().notices).isEmpty();
    leaveAll();
    assertThat(enter(OTHER_DISK)).isEmpty();
  }

  @Test
  void aProcessThatWasReplacedDoesNotComeBackUnlessItIsStartedAgain() {
    enter(FIRST);
    leaveAll();
    enter(OTHER_DISK);
    leaveAll();
    assertThat(enter(FIRST)).contains(new FenceNotice(Reason.SUPERSEDED, OTHER_DISK));
    assertThat(enter(LATER)).as("an explicit start on the old directory").isEmpty();
    assertThat(enter(OTHER_DISK)).contains(new FenceNotice(Reason.SUPERSEDED, LATER));
  }

  @Test
  void aProcessThatLostItsConnectionsComesBack() {
    enter(FIRST);
    leaveAll();
    assertThat(registry.isConnected(Wire.B)).isFalse();
    assertThat(enter(FIRST)).isEmpty();
    assertThat(registry.isConnected(Wire.B)).isTrue();
  }

  @Test
  void aMemberHasConnectedBackOnceEachOfItsEventLoopsHas() {
    enter(FIRST, false);
    enter(FIRST, true);
    assertThat(registry.hasConnectedBack(Wire.B)).isFalse();
    enter(FIRST, true);
    assertThat(registry.hasConnectedBack(Wire.B)).isTrue();
    registry.leave(Wire.B, links.getLast());
    assertThat(registry.hasConnectedBack(Wire.B)).isFalse();
    assertThat(registry.hasConnectedBack(Wire.A)).isFalse();
  }
}
