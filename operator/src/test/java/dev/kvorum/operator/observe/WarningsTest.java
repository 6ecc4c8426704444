package dev.kvorum.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.EventListBuilder;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
class WarningsTest {
  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
  private static final String PATH =
      "/api/v1/namespaces/shop/events?fieldSelector=involvedObject.kind%3DStatefulSet"
          + "%2CinvolvedObject.name%3Dkvorum%2Ctype%3DWarning";

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesMockServer server;

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesClient client;

  private static Event event(String message, Instant last) {
    return new EventBuilder().withMessage(message).withLastTimestamp(last.toString()).build();
  }

  private Optional<String> ofPodOne(Event... events) {
    server
        .expect()
        .get()
        .withPath(PATH)
        .andReturn(200, new EventListBuilder().addToItems(events).build())
        .once();
    StatefulSet set =
        new StatefulSetBuilder()
            .withNewMetadata()
            .withName("kvorum")
            .withNamespace("shop")
            .endMetadata()
            .build();
    return new Warnings(new Reads(client, NOW)).of(set, "kvorum-1", NOW);
  }

  @Test
  void theNewestWordOnThePodComesBeforeNewerOnesOnOthers() {
    assertThat(
            ofPodOne(
                event("create Pod kvorum-1: a limit", NOW.minusSeconds(60)),
                event("create Pod kvorum-1: a quota", NOW.minusSeconds(30)),
                event("create Pod kvorum-10: a quota", NOW.minusSeconds(2)),
                event("create Pod kvorum-0: a quota", NOW.minusSeconds(1))))
        .contains("create Pod kvorum-1: a quota");
    assertThat(ofPodOne(event("create Pod kvorum-0: a quota", NOW)))
        .contains("create Pod kvorum-0: a quota");
  }

  @Test
  void oldMessagesAreDroppedAndLongOnesCut() {
    assertThat(ofPodOne(event("create Pod kvorum-1: a quota", NOW.minusSeconds(3600)))).isEmpty();
    assertThat(ofPodOne(event("kvorum-1" + "x".repeat(9000), NOW)).orElseThrow())
        .hasSizeLessThan(310)
        .endsWith("x…");
  }

  @Test
  void aNewerKindOfEventIsReadAsWell() {
    Event event = event("create Pod kvorum-1: a quota", NOW);
    event.setLastTimestamp(null);
    event.setEventTime(new MicroTime("2026-06-01T11:59:00.000000Z"));
    assertThat(ofPodOne(event)).isPresent();
  }

  @Test
  void withoutPermissionToReadNothingIsReported() {
    server.expect().get().withPath(PATH).andReturn(403, "").once();
    StatefulSet set =
        new StatefulSetBuilder()
            .withNewMetadata()
            .withName("kvorum")
            .withNamespace("shop")
            .endMetadata()
            .build();
    assertThat(new Warnings(new Reads(client, NOW)).of(set, "kvorum-1", NOW)).isEmpty();
  }
}
