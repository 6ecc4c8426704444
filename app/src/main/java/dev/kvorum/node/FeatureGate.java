package dev.kvorum.node;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.replica.RecordFeatures;
import dev.kvorum.storage.ForwardingStore;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.ActiveFeatures;
import dev.kvorum.topology.Feature;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store of a node, which activates a feature before it stores the first record that needs it.
 * Such a record comes from a peer that has learned earlier than this node that the feature is
 * active. What is salvaged was stored in this directory before, after its features.
 */
final class FeatureGate extends ForwardingStore {
  private static final Logger log = LoggerFactory.getLogger(FeatureGate.class);
  private static final WriteResult REJECTED = new WriteResult.Rejected(RejectReason.STORAGE_FAILED);

  private final Store store;
  private final ActiveFeatures features;
  private final Executor background;
  private boolean told;

  /**
   * Creates the gate of one node.
   *
   * @param background runs tasks that may block
   */
  FeatureGate(Store store, ActiveFeatures features, Executor background) {
    this.store = store;
    this.features = features;
    this.background = background;
  }

  @Override
  protected Store delegate() {
    return store;
  }

  @Override
  public void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    if (isAllowed(mutation)) {
      store.apply(mutation, loop, waiter);
    } else {
      activate(mutation, loop, waiter, () -> store.apply(mutation, loop, waiter));
    }
  }

  @Override
  public void applyStreamed(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    if (isAllowed(mutation)) {
      store.applyStreamed(mutation, loop, waiter);
    } else {
      activate(mutation, loop, waiter, () -> store.applyStreamed(mutation, loop, waiter));
    }
  }

  @Override
  public void restore(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    if (isAllowed(mutation)) {
      store.restore(mutation, loop, waiter);
    } else {
      activate(mutation, loop, waiter, () -> store.restore(mutation, loop, waiter));
    }
  }

  private boolean isAllowed(Mutation mutation) {
    Feature needed = RecordFeatures.neededBy(mutation.record());
    return needed == null || features.contains(needed);
  }

  private void activate(
      Mutation mutation, Executor loop, Waiter<WriteResult> waiter, Runnable write) {
    Feature needed = Objects.requireNonNull(RecordFeatures.neededBy(mutation.record()));
    background.execute(() -> {
      if (waiter.isWaiting() && !isActivated(needed)) {
        loop.execute(() -> waiter.reply(REJECTED));
      } else {
        loop.execute(write);
      }
    });
  }

  private boolean isActivated(Feature needed) {
    try {
      features.activate(Set.of(needed));
      return true;
    } catch (RuntimeException e) {
      if (!told) {
        told = true;
        log.error("A feature that peers use cannot be activated", e);
      }
      return false;
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
