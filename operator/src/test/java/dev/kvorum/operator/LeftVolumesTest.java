package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumClusterSpec;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The claim of a member that left is marked with the time, and deleted when that is over. */
class LeftVolumesTest extends MockedKubernetes {
  private Instant now = Instant.now();

  private static KvorumClusterSpec members(int replicas) {
    return Specs.of(
        Map.of(
            "replicas",
            replicas,
            "replication",
            3,
            "storage",
            Map.of("size", "10Gi", "leftVolumes", "Delete", "leftAfter", "36h")));
  }

  private Optional<PersistentVolumeClaim> claim() {
    return Optional.ofNullable(
        client
            .persistentVolumeClaims()
            .inNamespace(FakeKubernetes.NAMESPACE)
            .withName("data-kvorum-3")
            .get());
  }

  private Optional<String> mark() {
    return claim().map(it -> it.getMetadata().getAnnotations().get("kvorum.dev/left-at"));
  }

  private List<String> news() {
    return client.v1().events().inNamespace(FakeKubernetes.NAMESPACE).list().getItems().stream()
        .filter(event -> event.getReason().equals("LeftVolume"))
        .map(Event::getMessage)
        .toList();
  }

  private void later(Duration time) {
    now = now.plus(time);
    kubernetes.turns(operator, 100);
  }

  @Test
  void aVolumeThatWasLeftIsDeletedInTime() {
    operator = kubernetes.operator(kubernetes.writes(client), () -> now);
    become(members(4));
    become(members(3));
    Instant left = now;
    assertThat(mark().map(Instant::parse))
        .hasValueSatisfying(at ->
            assertThat(Duration.between(at, left)).isBetween(Duration.ZERO, Duration.ofSeconds(1)));
    become(members(4));
    assertThat(mark()).as("it is a member's again").isEmpty();
    become(members(3));
    later(Duration.ofHours(35));
    assertThat(claim()).isPresent();
    assertThat(ready().getStatus()).isEqualTo("True");
    later(Duration.ofHours(1).plusSeconds(1));
    assertThat(claim()).isEmpty();
    assertThat(ready().getStatus()).isEqualTo("True");
    assertThat(
            client.persistentVolumeClaims().inNamespace(FakeKubernetes.NAMESPACE).list().getItems())
        .as("of members")
        .hasSize(3);
    assertThat(news())
        .anyMatch(message -> message.contains("is left by its member"))
        .anyMatch(message -> message.startsWith("deletes data-kvorum-3"));
  }

  @Test
  void aMarkThatIsNoTimeIsMadeAnew() {
    operator = kubernetes.operator(kubernetes.writes(client), () -> now);
    become(members(4));
    become(members(3));
    PersistentVolumeClaim claim = claim().orElseThrow();
    claim.getMetadata().getAnnotations().put("kvorum.dev/left-at", "yesterday");
    client.resource(claim).update();
    later(Duration.ofDays(3));
    assertThat(mark().map(Instant::parse))
        .hasValueSatisfying(
            at -> assertThat(Duration.between(at, now)).isLessThan(Duration.ofSeconds(1)));
  }
}
