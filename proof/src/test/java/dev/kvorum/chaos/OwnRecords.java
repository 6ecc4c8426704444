package dev.kvorum.chaos;

import dev.kvorum.blackbox.Client;
import dev.kvorum.blackbox.Cluster;
import dev.kvorum.blackbox.NodeProcess;
import dev.kvorum.chaos.history.Violation;
import dev.kvorum.chaos.history.Violation.Rule;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every node's own records, compared key by key: as many copies as there have to be, all equal.
 *
 * <p>Looked at again and again for a while, since what was behind may still be under way.
 */
final class OwnRecords implements EndState {
  private static final String PATH = "/v0/entities?start=chaos-&end=chaos.&scope=node";
  private static final Duration EQUAL_MAX = Duration.ofSeconds(60);

  private final List<NodeProcess> nodes;
  private final int copies;

  OwnRecords(Cluster cluster, ChaosSettings settings) {
    this.nodes = cluster.nodes();
    this.copies = Math.min(3, settings.nodes());
  }

  /** Whether the nodes of this build list their records. */
  static boolean areListed(Cluster cluster) {
    Client client = cluster.nodes().getFirst().client();
    return client.send(client.request(PATH + "&limit=1").GET()).statusCode() == 200;
  }

  @Override
  public String what() {
    return "the records of each node, " + copies + " equal copies of each key";
  }

  @Override
  public List<Violation> differences() {
    try {
      Awaitility.await("all copies are equal")
          .atMost(EQUAL_MAX)
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> compare().isEmpty());
      return List.of();
    } catch (ConditionTimeoutException e) {
      return compare();
    }
  }

  private List<Violation> compare() {
    return differences(nodes.stream().map(OwnRecords::records).toList(), copies);
  }

  /**
   * Compares what nodes hold.
   *
   * @param byNode for each node the version and value of each key
   * @param copies how many of them each key has to have
   */
  static List<Violation> differences(List<Map<String, String>> byNode, int copies) {
    Map<String, List<String>> byKey = new TreeMap<>();
    for (Map<String, String> records : byNode) {
      records.forEach(
          (key, record) -> byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(record));
    }
    List<Violation> found = new ArrayList<>();
    byKey.forEach((key, records) -> {
      if (records.size() != copies || records.stream().distinct().count() > 1) {
        found.add(new Violation(Rule.COPIES_DIFFER, key, "copies: " + records, List.of()));
      }
    });
    return found;
  }

  private static Map<String, String> records(NodeProcess node) {
    HttpResponse<byte[]> answer = list(node);
    if (Client.text(answer).contains("data-lost")) {
      // Two of three stores were corrupted: the node reports what may be lost, and lists nothing
      // there until that is accepted. What is really lost contradicts the clients' history.
      acceptLoss(node);
      answer = list(node);
    }
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(node.name() + " lists no records: " + Client.text(answer));
    }
    return parse(Client.text(answer));
  }

  private static HttpResponse<byte[]> list(NodeProcess node) {
    Client client = node.client();
    return client.send(client.request(PATH).header("Accept", "application/x-ndjson").GET());
  }

  private static void acceptLoss(NodeProcess node) {
    Client management = node.management();
    management.send(management.request("/actuator/kvorum/lost-key-ranges").DELETE());
  }

  /** Version and value of each key, from a JSON object a line. */
  static Map<String, String> parse(String lines) {
    Map<String, String> records = new TreeMap<>();
    lines
        .lines()
        .filter(line -> !line.isBlank())
        .forEach(line -> {
          JsonNode record = JsonMapper.shared().readTree(line);
          records.put(
              record.get("key").asString(),
              record.get("version").asString() + " " + record.get("value").asString());
        });
    return records;
  }
}
