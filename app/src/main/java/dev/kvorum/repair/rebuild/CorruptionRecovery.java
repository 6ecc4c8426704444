package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.KeyRange;
import dev.kvorum.repair.state.RecordCompleteness;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.SetAsideStores;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What became of this member's corrupted stores: whether they are still needed, what of them is
 * lost, and what that is worth to its peers. Lives on one event loop.
 */
public final class CorruptionRecovery {
  private static final Logger log = LoggerFactory.getLogger(CorruptionRecovery.class);

  private final BackgroundContext context;
  private final SetAsideStores stores;
  private final VotingState votingState;
  private boolean isOutdated;

  /**
   * Goes on with what is known from earlier runs.
   *
   * @param isOutdated whether this member was away so long that its peers may have removed
   *     tombstones without it
   */
  public CorruptionRecovery(
      BackgroundContext context,
      SetAsideStores stores,
      VotingState votingState,
      boolean isOutdated) {
    this.context = context;
    this.stores = stores;
    this.votingState = votingState;
    this.isOutdated = isOutdated;
    votingState.lost(stores.lost());
  }

  SetAsideStores stores() {
    return stores;
  }

  /** Whether records of corrupted stores may have been deleted, and that forgotten, by others. */
  boolean isOutdated() {
    return isOutdated;
  }

  /** Peers have removed tombstones without this member. */
  public void outdated() {
    isOutdated = true;
  }

  /** All that can be had is there. */
  public void complete() {
    isOutdated = false;
    if (stores.isPending()) {
      stores.release(context.loop(), () -> log.info("Salvaged the corrupted stores"));
    }
  }

  /** Records what is permanently lost; {@code next} is run once that is durable. */
  void lost(LostKeys lost, Runnable next) {
    if (lost.isEmpty()) {
      next.run();
      return;
    }
    log.error(
        "Acknowledged records may be lost for good in {} key ranges of {} slots: corrupted stores"
            + " could not be read there, and too few peers have complete ones. Reads of what is"
            + " absent there fail with data-lost until the loss is accepted (docs/operations.md)",
        lost.ranges().size(),
        lost.slots().cardinality());
    stores.keepLost(
        lost,
        context.loop(),
        () -> {
          votingState.lost(lost);
          next.run();
        });
  }

  /** What is absent of the lost keys is absent from now on. */
  public void acceptLoss() {
    if (!votingState.lost().isEmpty()) {
      log.warn("The loss of records in corrupted stores is accepted");
      stores.keepLost(LostKeys.NONE, context.loop(), () -> votingState.lost(LostKeys.NONE));
    }
  }

  /** What its peers may rely on while a rebuild is under way or not. */
  public RecordCompleteness completeness(Supplier<@Nullable Rebuild> rebuilds) {
    return new RecordCompleteness() {
      @Override
      public boolean isGrowing() {
        Rebuild rebuild = rebuilds.get();
        return stores.isPending()
            && (rebuild == null ? !votingState.hasAll() : rebuild.isSalvaging());
      }

      @Override
      public Optional<List<Boolean>> certain(List<KeyRange> ranges) {
        Rebuild rebuild = rebuilds.get();
        if (votingState.hasAll()) {
          return Optional.of(ranges.stream().map(range -> !votingState.isAnyLost(range)).toList());
        }
        if (rebuild == null) {
          return Optional.empty();
        }
        // Nothing is left of a lost disk.
        return stores.isPending()
            ? rebuild.certain(ranges)
            : Optional.of(ranges.stream().map(range -> false).toList());
      }
    };
  }
}
