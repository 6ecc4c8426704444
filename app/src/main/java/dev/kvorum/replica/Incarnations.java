package dev.kvorum.replica;

import dev.kvorum.topology.MemberId;
import java.util.HashMap;
import java.util.Map;

/**
 * Which life of each member is connected to this node: one at a time, or two processes of one name
 * would each be told what the other was asked to keep. Safe for use by many threads.
 */
final class Incarnations {
  private final Map<MemberId, Life> lives = new HashMap<>();

  private record Life(long incarnation, int connections) {}

  /** Counts a connection of a member, unless another life of it has one. */
  synchronized boolean enter(MemberId member, long incarnation) {
    Life life = lives.getOrDefault(member, new Life(incarnation, 0));
    if (life.incarnation() != incarnation) {
      return false;
    }
    lives.put(member, new Life(incarnation, life.connections() + 1));
    return true;
  }

  /** One of the connections that were counted is closed. */
  synchronized void leave(MemberId member) {
    lives.computeIfPresent(
        member,
        (name, life) ->
            life.connections() == 1 ? null : new Life(life.incarnation(), life.connections() - 1));
  }
}
