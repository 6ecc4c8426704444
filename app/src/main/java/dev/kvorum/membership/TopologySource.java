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
   * Tells of every topology that is to be had, the first as soon as possible; older ones than
   * before may be among them. On threads of its own.
   */
  void follow(Consumer<Topology> listener);

  /** Today's address of a member, or a failure that says why there is none. Does not block. */
  CompletionStage<InetSocketAddress> locate(MemberId member);

  /** Whether it has said that the cluster has begun, and so has data; never taken back. */
  default boolean isFounded() {
    return false;
  }

  /** How long ago it was heard last; zero for one that has nothing new to tell, ever. */
  default Duration age() {
    return Duration.ZERO;
  }

  @Override
  void close();
}
