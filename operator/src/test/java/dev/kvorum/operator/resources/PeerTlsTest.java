package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cluster changes TLS between its members one pod at a time, and never falls apart. */
class PeerTlsTest {
  private static final List<PeerTls> ALL =
      List.of(
          new PeerTls(TlsMode.OFF, ""),
          new PeerTls(TlsMode.OFF, "a"),
          new PeerTls(TlsMode.PERMISSIVE, "a"),
          new PeerTls(TlsMode.REQUIRED, "a"),
          new PeerTls(TlsMode.PERMISSIVE, "b"),
          new PeerTls(TlsMode.REQUIRED, "b"));

  /** Three pods are restarted at most three times each. */
  private static final int RESTARTS_MAX = 9;

  /** What nodes do: TLS if both have it and one CA, and plain connections if both allow them. */
  private static boolean connect(PeerTls one, PeerTls other) {
    boolean tls =
        one.mode() != TlsMode.OFF
            && other.mode() != TlsMode.OFF
            && one.secret().equals(other.secret());
    return tls || (one.mode() != TlsMode.REQUIRED && other.mode() != TlsMode.REQUIRED);
  }

  private static boolean areConnected(List<PeerTls> pods) {
    return pods.stream().allMatch(one -> pods.stream().allMatch(other -> connect(one, other)));
  }

  @Test
  void betweenAnyTwoStatesAllPodsUnderstandEachOther() {
    for (PeerTls first : ALL) {
      for (PeerTls second : ALL) {
        for (PeerTls wanted : ALL) {
          List<PeerTls> pods = new ArrayList<>(List.of(first, second, first));
          if (areConnected(pods)) {
            change(pods, wanted);
          }
        }
      }
    }
  }

  private static void change(List<PeerTls> pods, PeerTls wanted) {
    List<PeerTls> before = List.copyOf(pods);
    for (int restarts = 0; !pods.stream().allMatch(wanted::equals); restarts++) {
      PeerTls next = PeerTls.next(wanted, pods);
      int outdated = pods.indexOf(pods.stream().filter(pod -> !pod.equals(next)).findAny().get());
      pods.set(outdated, next);
      assertThat(areConnected(pods)).as("%s to %s: %s", before, wanted, pods).isTrue();
      assertThat(restarts).as("%s to %s", before, wanted).isLessThan(RESTARTS_MAX);
    }
    assertThat(PeerTls.next(wanted, pods)).isEqualTo(wanted);
  }

  @Test
  void aNewClusterTakesNoSteps() {
    PeerTls wanted = new PeerTls(TlsMode.REQUIRED, "a");
    assertThat(PeerTls.next(wanted, List.of())).isEqualTo(wanted);
  }
}
