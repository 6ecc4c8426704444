package dev.kvorum.backup.tool;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** One node's part in a restore, as this command orders it. */
final class MemberRestore {
  private final NodeState state;
  private final String id;
  private final Map<String, ?> order;
  private final List<String> sources;
  private String message = "";
  private long records;
  private long bytes;
  private boolean isFinished;
  private boolean isDone;

  /**
   * The part of a node.
   *
   * @param id of the backup
   * @param sources members of the cluster that was backed up whose parts it restores
   * @param order what is sent to it besides
   */
  MemberRestore(NodeState state, String id, List<String> sources, Map<String, Object> order) {
    this.state = state;
    this.id = id;
    this.sources = List.copyOf(sources);
    Map<String, Object> whole = new HashMap<>(order);
    whole.put("sources", String.join(",", sources));
    this.order = whole;
  }

  private String path() {
    return "/actuator/restore/" + id;
  }

  String name() {
    return state.name();
  }

  long records() {
    return records;
  }

  long bytes() {
    return bytes;
  }

  boolean isDone() {
    return isDone;
  }

  /** What the node waits for; empty if for nothing. */
  String message() {
    return message;
  }

  /** Whether the node finished this restore for an earlier command, and serves clients. */
  boolean isFinished() {
    return isFinished;
  }

  /**
   * Reads whether the node has a part in a restore already: it is prepared for one, by an earlier
   * command or by the topology, or has finished this one.
   */
  boolean hasBegun() throws IOException, InterruptedException {
    JsonNode status = status();
    String current = current(status);
    isFinished = current.isEmpty() && status.path("finished").asString("").equals(id);
    return isFinished || !current.isEmpty();
  }

  private JsonNode status() throws IOException, InterruptedException {
    return state.node().get("/actuator/restore");
  }

  /** The backup that the node is restoring; empty if none. */
  private static String current(JsonNode status) {
    return status.path("id").asString("");
  }

  /** Ends the node's service of clients; returns false if it does not respond. */
  boolean prepare(long newestStamp) throws IOException, InterruptedException {
    return isFinished || send(() -> state.node().post(path(), Map.of("newestStamp", newestStamp)));
  }

  /** Orders the node to restore its sources. One that does not respond gets the order later. */
  void start() throws IOException, InterruptedException {
    isDone = isFinished || sources.isEmpty();
    if (!isDone) {
      send(() -> state.node().post(path(), order));
    }
  }

  /** A request to the node. */
  private interface Request {
    JsonNode send() throws IOException, InterruptedException;
  }

  /** Sends a request; returns false if the node does not respond. */
  private boolean send(Request request) throws IOException, InterruptedException {
    try {
      request.send();
      return true;
    } catch (IOException e) {
      throwUnlessTransient(e);
      return false;
    }
  }

  /**
   * Reads how far the node is. One that has restarted gets its order again; one that does not
   * respond is asked again by the next call.
   *
   * @throws IOException if it has failed
   */
  void advance() throws IOException, InterruptedException {
    try {
      JsonNode status = status();
      List<String> done = new ArrayList<>();
      status.path("done").forEach(source -> done.add(source.asString()));
      message = status.path("message").asString("");
      records = status.path("records").asLong();
      bytes = status.path("bytes").asLong();
      switch (status.path("phase").asString("")) {
        case "failed" -> throw KvorumBackup.failed(name() + ": " + message);
        case "waiting" -> {
          isDone = done.containsAll(sources);
          if (!isDone) {
            start();
          }
        }
        default -> { // under way
        }
      }
    } catch (IOException e) {
      throwUnlessTransient(e);
    }
  }

  private void throwUnlessTransient(IOException e) throws IOException {
    if (e instanceof NodeClient.RejectedException rejected && !rejected.isTransient()) {
      throw rejected;
    }
    message = String.valueOf(e.getMessage());
  }

  /** Lets the node serve clients; returns false if it does not respond. */
  boolean finish() throws IOException, InterruptedException {
    return isFinished || send(() -> state.node().delete(path()));
  }

  /** Lets the node serve clients if it was prepared for this backup, and has nothing of it. */
  void undo() {
    try {
      if (current(status()).equals(id)) {
        state.node().delete(path() + "?undo=true");
      }
    } catch (IOException e) {
      // It stays prepared, and says so.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
