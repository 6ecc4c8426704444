package dev.kvorum.operator.observe;

import static java.util.Objects.requireNonNullElse;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why Kubernetes cannot create a pod for a StatefulSet, such as a quota, a limit or a
 * policy. Kubernetes reports this in Events only.
 */
final class Warnings {
  /** Kubernetes retries such a pod after 15 minutes at most, with a warning each time. */
  private static final Duration AGE_MAX = Duration.ofMinutes(20);

  private static final int LENGTH_MAX = 300;

  private final Reads reads;

  Warnings(Reads reads) {
    this.reads = reads;
  }

  /** Returns the newest warning for this pod or, without one, for any pod. */
  Optional<String> of(StatefulSet set, String pod, Instant now) {
    // Searched by name: the warnings of several pods alternate and would change the message at each
    // reconciliation.
    Pattern about = Pattern.compile("\\b" + Pattern.quote(pod) + "(?![\\w-])");
    List<Event> young =
        events(set).stream()
            .filter(event -> time(event).isAfter(now.minus(AGE_MAX)))
            .sorted(Comparator.comparing(Warnings::time).reversed())
            .toList();
    return young.stream()
        .filter(event -> about.matcher(message(event)).find())
        .findFirst()
        .or(() -> young.stream().findFirst())
        .map(Warnings::message)
        .map(it -> it.length() <= LENGTH_MAX ? it : it.substring(0, LENGTH_MAX) + "…");
  }

  private List<Event> events(StatefulSet set) {
    return Permitted.read(
        () -> reads.list(Event.class, "warnings", () -> warnings(reads.client(), set)), List.of());
  }

  private static List<Event> warnings(KubernetesClient client, StatefulSet set) {
    return client
        .v1()
        .events()
        .inNamespace(set.getMetadata().getNamespace())
        .withField("involvedObject.kind", "StatefulSet")
        .withField("involvedObject.name", set.getMetadata().getName())
        .withField("type", "Warning")
        .list()
        .getItems();
  }

  private static String message(Event event) {
    return requireNonNullElse(event.getMessage(), "");
  }

  private static Instant time(Event event) {
    return PodReader.time(event.getLastTimestamp())
        .or(() ->
            event.getSeries() == null
                ? Optional.empty()
                : micro(event.getSeries().getLastObservedTime()))
        .or(() -> micro(event.getEventTime()))
        .or(() -> PodReader.time(event.getMetadata().getCreationTimestamp()))
        .orElse(Instant.EPOCH);
  }

  private static Optional<Instant> micro(@Nullable MicroTime time) {
    return time == null ? Optional.empty() : PodReader.time(time.getTime());
  }
}
