package dev.kvorum.membership;

import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Where topologies and today's addresses come from. */
public interface TopologySource extends AutoCloseable {
  /**
   * Reports every topology that it has, the first as soon as possible; older ones than before may
   * be among them. On threads of its own.
   */
  void follow(Consumer<Topology> listener);

  /** The current address of a member, or a failure with the reason. Does not block. */
  CompletionStage<InetSocketAddress> locate(MemberId member);

  /**
   * Whether it has reported the cluster as founded, which means that there is data; never reverted.
   */
  default boolean isFounded() {
    return false;
  }

  /** How long ago it was last in contact; zero for one that never changes. */
  default Duration age() {
    return Duration.ZERO;
  }

  @Override
  void close();
}
