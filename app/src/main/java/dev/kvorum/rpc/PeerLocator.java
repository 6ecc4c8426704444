package dev.kvorum.rpc;

import dev.kvorum.topology.MemberId;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;

/** Resolves the current address of a member, without blocking the caller. */
@FunctionalInterface
public interface PeerLocator {
  /** The resolved address, or a failure with the reason in its message. */
  CompletionStage<InetSocketAddress> locate(MemberId member);
}
