package dev.kvorum.rpc;

import dev.kvorum.topology.MemberId;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;

/** Finds today's address of a member, resolved, without blocking the caller. */
@FunctionalInterface
public interface PeerLocator {
  /** The address, or a failure with the reason in its message. */
  CompletionStage<InetSocketAddress> locate(MemberId member);
}
