package dev.kvorum.backup.tool;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The order of one member to make its part of a backup, and how far it is. */
final class MemberOrder {
  private final NodeState state;
  private final String id;
  private final Map<String, ?> order;
  private final Duration silentMax;
  private OptionalLong silentSince = OptionalLong.empty();
  private boolean isOrdered;
  private boolean isDone;
  private @Nullable String failure;

  /**
   * The order of a member.
   *
   * @param silentMax time for which it may not respond before others are asked for it
   */
  MemberOrder(NodeState state, String id, Map<String, ?> order, Duration silentMax) {
    this.state = state;
    this.id = id;
    this.order = order;
    this.silentMax = silentMax;
  }

  String member() {
    return state.name();
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
   * Gives the order to a node, again if it does not have it after a restart, and notes how far it
   * is. A node that does not respond is asked again by the next call. The first order also begins a
   * part again that failed for an earlier command.
   */
  void advance() throws InterruptedException {
    try {
      JsonNode status = state.node().get("/actuator/backup");
      if (!isOrdered || !status.path("id").asString("").equals(id)) {
        status = state.node().post(path(), order);
        isOrdered = true;
      }
      switch (status.path("phase").asString("")) {
        case "done" -> isDone = true;
        case "failed" -> failure = member() + ": " + status.path("message").asString("");
        default -> { // under way
        }
      }
      silentSince = OptionalLong.empty();
    } catch (NodeClient.RejectedException e) {
      if (!e.isTransient()) {
        failure = e.getMessage();
      }
    } catch (IOException e) {
      // Asked again, until the command's deadline.
      if (silentSince.isEmpty()) {
        silentSince = OptionalLong.of(System.nanoTime());
      }
    }
  }

  /** Goes on without the member's part, which it does not make in time. */
  void giveUp(Duration timeout) {
    failure = member() + ": its part was not complete within " + timeout;
    cancel();
  }

  /** Goes on without a member that does not respond and, as the others know, is none any more. */
  void giveUpIfLeft(List<MemberOrder> others) throws InterruptedException {
    if (silentSince.isEmpty()
        || System.nanoTime() - silentSince.getAsLong() < silentMax.toNanos()) {
      return;
    }
    silentSince = OptionalLong.of(System.nanoTime());
    for (MemberOrder other : others) {
      if (other != this && other.silentSince.isEmpty() && other.knowsThatLeft(state)) {
        failure = member() + ": it is no member any more";
        return;
      }
    }
  }

  private boolean knowsThatLeft(NodeState member) throws InterruptedException {
    try {
      NodeState now = NodeState.of(state.node());
      return now.epoch() > member.epoch()
          && now.members().stream().noneMatch(one -> one.name().equals(member.name()));
    } catch (IOException e) {
      return false;
    }
  }

  void cancel() {
    try {
      state.node().delete(path());
    } catch (IOException e) {
      // The node has its own bounds.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells the node that the backup is complete. */
  void completed(String began) throws InterruptedException {
    try {
      state.node().post(path(), Map.of("began", began));
    } catch (IOException e) {
      // Only its metric lacks it.
    }
  }
}
