package dev.kvorum.membership;

import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Source of topologies and of members' current addresses. */
public interface TopologySource extends AutoCloseable {
  /**
   * Reports all topologies to a listener, the first one as soon as possible. Older topologies may
   * follow newer ones. Runs on threads of its own.
   */
  void follow(Consumer<Topology> listener);

  /** The current address of a member, or a failure with the reason. Does not block. */
  CompletionStage<InetSocketAddress> locate(MemberId member);

  /**
   * Reports that this node waits until a topology lists it, and has none. Does not block.
   *
   * @param left the epoch in which it has left, if it has been a member
   */
  default void reportWaiting(OptionalLong left) {}

  /**
   * Takes that back before the node stores a topology. Blocks until nobody can take the node for
   * one without a topology any more.
   */
  default void reportListed() throws InterruptedException {}

  /**
   * Returns whether the source has reported the cluster as founded, that is, with data; never
   * reverted.
   */
  default boolean isFounded() {
    return false;
  }

  /**
   * Id of the backup that this cluster is restored from, until it is; empty also before the first
   * topology is reported.
   */
  default Optional<String> restore() {
    return Optional.empty();
  }

  /** Time since the last contact with the source; zero for a static one. */
  default Duration age() {
    return Duration.ZERO;
  }

  @Override
  void close();
}
