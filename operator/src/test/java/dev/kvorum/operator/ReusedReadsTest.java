package dev.kvorum.operator;

import static dev.kvorum.operator.FakeKubernetes.NAME;
import static dev.kvorum.operator.FakeKubernetes.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.observe.KeptReads;
import dev.kvorum.operator.observe.ReportSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was read for a cluster that waits is reused to see that it still waits, and for no more. */
class ReusedReadsTest extends MockedKubernetes {
  private static final int SOON = (int) Reconciliation.SOON.toMillis();

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesMockServer server;

  private final List<String> written = new ArrayList<>();
  private Instant now = Instant.now();

  /** A cluster that waits for the report of a member that is to join; the first look is over. */
  @BeforeEach
  void await() {
    become(Specs.of(3, "kvorum:1", "10Gi"));
    kubernetes.silent.add("kvorum-3");
    kubernetes.edit(Specs.of(4, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 30);
    operator =
        kubernetes.operator(
            kubernetes.door(object -> written.add(((HasMetadata) object).getKind())),
            () -> now,
            KeptReads.LIFE);
    assertThat(look(0)).isEqualTo(Reconciliation.SOON);
    assertThat(written).isEmpty();
  }

  private Duration look(long millisLater) {
    now = now.plusMillis(millisLater);
    return operator.once(NAMESPACE, NAME);
  }

  /** The operator's own: the fake nodes read as well before they report. */
  private int requests(long millisLater) {
    List<ReportSource.Address> nodes = ReportSource.addresses(kubernetes.pods());
    int before = server.getRequestCount();
    kubernetes.fetch(nodes, Duration.ZERO);
    int ofNodes = server.getRequestCount() - before;
    assertThat(look(millisLater)).isEqualTo(Reconciliation.SOON);
    return server.getRequestCount() - before - 2 * ofNodes;
  }

  private void lose() {
    client.services().inNamespace(NAMESPACE).withName(NAME).delete();
  }

  private boolean isThere() {
    return client.services().inNamespace(NAMESPACE).withName(NAME).get() != null;
  }

  @Test
  void aWaitReadsLittleUntilWhatItHasReadIsTooOld() {
    assertThat(requests(SOON)).as("cluster, StatefulSet, topology and pods").isEqualTo(4);
    assertThat(requests(SOON)).isEqualTo(4);
    assertThat(requests(KeptReads.LIFE.toMillis())).isGreaterThan(8);
    assertThat(requests(SOON)).isEqualTo(4);
    assertThat(written).isEmpty();
  }

  @Test
  void aLossIsNoticedWhenWhatWasReadIsTooOld() {
    lose();
    look(SOON);
    assertThat(isThere()).isFalse();
    look(KeptReads.LIFE.toMillis());
    assertThat(isThere()).isTrue();
  }

  @Test
  void aStepRestsOnWhatWasReadForIt() {
    lose();
    kubernetes.silent.clear();
    look(SOON);
    assertThat(isThere()).as("the step by what was read first is to add the member").isTrue();
    assertThat(written).startsWith("Service").doesNotContain("KvorumTopology");
    look(SOON);
    assertThat(written).contains("KvorumTopology");
  }

  @Test
  void anObjectThatIsKnownToHaveChangedIsReadAtOnce() {
    lose();
    operator.changed(NAMESPACE, NAME);
    look(SOON);
    assertThat(isThere()).isTrue();
  }

  @Test
  void anotherSpecIsPlannedWithWhatIsReadForIt() {
    lose();
    kubernetes.edit(Specs.of(5, "kvorum:1", "10Gi"));
    look(SOON);
    // An object of the new spec comes first.
    look(Reconciliation.AT_ONCE.toMillis());
    assertThat(isThere()).isTrue();
  }

  @Test
  void aStepIsFollowedByNothingThatWasReadBefore() {
    kubernetes.silent.clear();
    look(SOON);
    assertThat(kubernetes.topology().orElseThrow().members()).hasSize(4);
    lose();
    look(Reconciliation.AT_ONCE.toMillis());
    assertThat(isThere()).isTrue();
  }

  @Test
  void aClusterThatIsGoneIsLeft() {
    client.resource(kubernetes.cluster()).delete();
    assertThat(look(SOON)).isEqualTo(Reconciliation.AT_REST);
    assertThat(written).isEmpty();
  }
}
