package dev.kvorum.backup.tool;

import dev.kvorum.backup.manifest.BackupManifest.Zoned;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What a node says of itself and of its cluster.
 *
 * @param node the way to its management port
 * @param cluster id of the cluster
 */
record NodeState(
    NodeClient node,
    String name,
    String cluster,
    String clusterName,
    String version,
    long epoch,
    String phase,
    int replication,
    List<String> features,
    List<Zoned> members) {
  static NodeState of(NodeClient node) throws IOException, InterruptedException {
    JsonNode state = node.get("/actuator/kvorum");
    List<Zoned> members = new ArrayList<>();
    for (JsonNode member : state.path("members")) {
      members.add(new Zoned(member.path("name").asString(), member.path("zone").asString("")));
    }
    List<String> features = new ArrayList<>();
    state.path("activeFeatures").forEach(feature -> features.add(feature.asString()));
    if (members.isEmpty() || !state.path("replication").isInt()) {
      throw new IOException(node + " has a release without backups");
    }
    return new NodeState(
        node,
        state.path("node").asString(),
        state.path("cluster").asString(),
        state.path("clusterName").asString(),
        state.path("version").asString(),
        state.path("topologyEpoch").asLong(),
        state.path("phase").asString(),
        state.path("replication").asInt(),
        features,
        members);
  }

  List<Member> topology() {
    return members.stream()
        .map(one -> new Member(new MemberId(one.name()), one.zone(), MemberState.ACTIVE))
        .toList();
  }

  /** Checks that nodes are of one cluster, and that no change of its members is under way. */
  static void check(List<NodeState> states) {
    if (states.isEmpty()) {
      throw KvorumBackup.failed("no node responds");
    }
    NodeState first = states.getFirst();
    for (NodeState state : states) {
      if (!state.cluster().equals(first.cluster())) {
        throw KvorumBackup.wrong(
            first.name()
                + " is of cluster "
                + first.cluster()
                + ", "
                + state.name()
                + " of "
                + state.cluster());
      }
      if (state.epoch() != first.epoch() || !state.phase().equals("STABLE")) {
        throw KvorumBackup.failed(
            "a change of the members is under way; try again once it is complete");
      }
    }
  }
}
