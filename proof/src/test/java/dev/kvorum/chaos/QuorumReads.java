package dev.kvorum.chaos;

import dev.kvorum.blackbox.Cluster;
import dev.kvorum.blackbox.NodeProcess;
import dev.kvorum.chaos.history.Operation;
import dev.kvorum.chaos.history.Violation;
import dev.kvorum.chaos.history.Violation.Rule;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What every node answers for every key, to reads of all replicas and then of a majority.
 *
 * <p>A read of all replicas repairs them, so copies that were behind show only in a count: of keys
 * for which nodes gave different answers to a read of one replica before that.
 */
final class QuorumReads implements EndState {
  private static final String READER = "end";

  private final Cluster cluster;
  private final List<String> keys;
  private final LoadClient client;
  private long behind;

  QuorumReads(Cluster cluster, ChaosSettings settings, Recorder recorder) {
    this.cluster = cluster;
    this.keys = IntStream.range(0, settings.keys()).mapToObj(Workload::key).toList();
    this.client = new LoadClient(READER, Math.min(3, settings.nodes()), recorder);
  }

  @Override
  public String what() {
    return "the same answers from every node to reads of all replicas and of a majority of "
        + keys.size()
        + " keys; before these, "
        + behind
        + " keys had copies that were behind";
  }

  @Override
  public List<Violation> differences() {
    behind = keys.stream().filter(key -> answersOfOne(key).size() > 1).count();
    List<Violation> found = new ArrayList<>();
    for (String key : keys) {
      List<Operation> reads = new ArrayList<>();
      cluster.nodes().forEach(node -> reads.add(client.get(node, key, true)));
      cluster.nodes().forEach(node -> reads.add(client.get(node, key, false)));
      if (reads.stream().map(QuorumReads::seen).distinct().count() > 1) {
        found.add(
            new Violation(Rule.COPIES_DIFFER, key, "nodes answer differently at the end", reads));
      }
    }
    return found;
  }

  private Set<String> answersOfOne(String key) {
    Set<String> answers = new LinkedHashSet<>();
    for (NodeProcess node : cluster.nodes()) {
      HttpResponse<byte[]> answer = node.client().get(key, "&ack=1&from=3");
      answers.add(answer.statusCode() + answer.headers().firstValue("ETag").orElse(""));
    }
    return answers;
  }

  private static String seen(Operation read) {
    return read.outcome() + " " + read.version() + " " + read.value();
  }
}
