package dev.kvorum.replica;

import dev.kvorum.topology.MemberId;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;

/** Finds today's address of a member, resolved, without blocking the caller. */
@FunctionalInterface
public interface PeerLocator {
  /** The address, or a failure whose message says why there is none. */
  CompletionStage<InetSocketAddress> locate(MemberId member);
}
