package dev.kvorum.backup.tool;

import dev.kvorum.backup.manifest.BackupManifest.Zoned;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The order of one member to make its part of a backup, and how far it is. */
final class MemberOrder {
  private final NodeClient node;
  private final NodeState state;
  private final String id;
  private final Map<String, ?> order;
  private boolean isDone;
  private @Nullable String failure;

  /**
   * What a node says of itself and of its cluster.
   *
   * @param cluster id of the cluster
   */
  record NodeState(
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
  }

  MemberOrder(NodeClient node, NodeState state, String id, Map<String, ?> order) {
    this.node = node;
    this.state = state;
    this.id = id;
    this.order = order;
  }

  String member() {
    return state.name();
  }

  boolean isDone() {
    return isDone;
  }

  /** Why the member does not make its part; null if it may. */
  @Nullable String failure() {
    return failure;
  }

  boolean isOver() {
    return isDone || failure != null;
  }

  private String path() {
    return "/actuator/backup/" + id;
  }

  /**
   * Gives the order to a node that does not have it, as after a restart, and notes how far it is. A
   * node that does not respond is asked again by the next call.
   */
  void advance() throws InterruptedException {
    try {
      JsonNode status = node.get("/actuator/backup");
      if (!status.path("id").asString("").equals(id)) {
        status = node.post(path(), order);
      }
      switch (status.path("phase").asString("")) {
        case "done" -> isDone = true;
        case "failed" -> failure = member() + ": " + status.path("message").asString("");
        default -> { // under way
        }
      }
    } catch (NodeClient.RefusedException e) {
      if (!e.isTransient()) {
        failure = e.getMessage();
      }
    } catch (IOException e) {
      // Asked again, until the command's deadline.
    }
  }

  void cancel() {
    try {
      node.delete(path());
    } catch (IOException e) {
      // The node has its own bounds.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells the node that the backup is complete. */
  void completed(String began) throws InterruptedException {
    try {
      node.post(path(), Map.of("began", began));
    } catch (IOException e) {
      // Only its metric lacks it.
    }
  }
}
