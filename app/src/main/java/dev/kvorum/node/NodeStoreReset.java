package dev.kvorum.node;

import dev.kvorum.repair.rebuild.StoreReset;
import dev.kvorum.rpc.LocalMember;
import dev.kvorum.storage.replace.ReplaceableStore;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets a node's data aside and starts again with an empty store, which is rebuilt from the peers.
 */
final class NodeStoreReset implements StoreReset {
  private static final Logger log = LoggerFactory.getLogger(NodeStoreReset.class);

  private final LocalMember self;
  private final ReplaceableStore store;
  private final Supplier<List<MemberId>> peers;

  NodeStoreReset(LocalMember self, ReplaceableStore store, Supplier<List<MemberId>> peers) {
    this.self = self;
    this.store = store;
    this.peers = peers;
  }

  @Override
  public void reset(String reason, Executor loop, Runnable done) {
    if (peers.get().isEmpty()) {
      log.error(
          "{} cannot reset its store, no other member has its records: {}", self.id(), reason);
      return;
    }
    reset(reason)
        .whenCompleteAsync(
            (nothing, failure) -> {
              if (failure == null) {
                done.run();
              } else {
                log.error(
                    "{} does not vote in reads: its store cannot be replaced", self.id(), failure);
              }
            },
            loop);
  }

  /** The same by order; as {@link Node#resetStore}. */
  CompletableFuture<Void> reset(String reason) {
    if (peers.get().isEmpty()) {
      throw new IllegalStateException(
          "no other member has the records that this node would set aside");
    }
    return store.reset(reason);
  }
}
