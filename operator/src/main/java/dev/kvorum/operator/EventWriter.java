package dev.kvorum.operator;

import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.api.EventDraft;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes drafts as Kubernetes Events of the object concerned. */
final class EventWriter {
  private static final Logger log = LoggerFactory.getLogger(EventWriter.class);

  private final Writes writes;

  EventWriter(Writes writes) {
    this.writes = writes;
  }

  /** Logs a draft and writes it as an Event. A failed write is logged and otherwise ignored. */
  void emit(HasMetadata about, EventDraft draft, Instant now) {
    log.info("{}: {}: {}", about.getMetadata().getName(), draft.reason(), draft.message());
    try {
      writes.event(event(about, draft, now));
    } catch (KubernetesClientException lost) {
      log.warn("An Event was not written: {}", lost.getMessage());
    }
  }

  private static Event event(HasMetadata about, EventDraft draft, Instant now) {
    ObjectMeta its = about.getMetadata();
    String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    String unique =
        Long.toHexString(now.getEpochSecond() * 1_000_000_000L + now.getNano())
            + Integer.toHexString((draft.reason() + draft.message()).hashCode());
    return new EventBuilder()
        .withNewMetadata()
        .withName(its.getName() + "." + unique)
        .withNamespace(its.getNamespace())
        .endMetadata()
        .withType(draft.type())
        .withReason(draft.reason())
        .withMessage(draft.message())
        .withFirstTimestamp(time)
        .withLastTimestamp(time)
        .withCount(1)
        .withReportingComponent("kvorum.dev/operator")
        .withReportingInstance("kvorum-operator")
        .withNewSource()
        .withComponent("kvorum-operator")
        .endSource()
        .withNewInvolvedObject()
        .withApiVersion(about.getApiVersion())
        .withKind(about.getKind())
        .withName(its.getName())
        .withNamespace(its.getNamespace())
        .withUid(its.getUid())
        .endInvolvedObject()
        .build();
  }
}
