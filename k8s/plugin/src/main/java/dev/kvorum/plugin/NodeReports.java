package dev.kvorum.plugin;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the nodes of a cluster report of themselves. */
final class NodeReports {
  private static final String PATH = "/actuator/kvorum";
  private static final int AT_ONCE = 8;

  private final Map<String, Answer> byPod;

  /**
   * A report, or why there is none.
   *
   * @param failure empty with a report
   */
  record Answer(Optional<JsonNode> report, String failure) {}

  private NodeReports(Map<String, Answer> byPod) {
    this.byPod = byPod;
  }

  /** Asks all pods. Those that do not respond have an answer too. */
  static NodeReports of(NodeClient nodes, List<Pod> pods) throws InterruptedException {
    Map<String, Answer> byPod = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      Map<String, Future<Answer>> asked = new LinkedHashMap<>();
      for (Pod pod : pods) {
        asked.put(pod.getMetadata().getName(), threads.submit(() -> answer(nodes, pod)));
      }
      for (Map.Entry<String, Future<Answer>> one : asked.entrySet()) {
        byPod.put(one.getKey(), one.getValue().get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    return new NodeReports(byPod);
  }

  private static Answer answer(NodeClient nodes, Pod pod) throws InterruptedException {
    try {
      return new Answer(Optional.of(JsonMapper.shared().readTree(nodes.get(pod, PATH))), "");
    } catch (IOException | JacksonException e) {
      return new Answer(Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  Optional<JsonNode> of(String pod) {
    return Optional.ofNullable(byPod.get(pod)).flatMap(Answer::report);
  }

  /** Pods without a report, and why. */
  Map<String, String> failures() {
    Map<String, String> failures = new LinkedHashMap<>();
    byPod.forEach((pod, answer) -> {
      if (answer.report().isEmpty()) {
        failures.put(pod, answer.failure());
      }
    });
    return failures;
  }

  /** The reports that there are. */
  List<JsonNode> all() {
    return byPod.values().stream().flatMap(answer -> answer.report().stream()).toList();
  }
}
