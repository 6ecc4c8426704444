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
 * The corrupted stores of this member: whether they are still needed, which of their records are
 * lost, and how far peers may rely on them. Confined to one event loop.
 */
public final class CorruptionRecovery {
  private static final Logger log = LoggerFactory.getLogger(CorruptionRecovery.class);

  private final BackgroundContext context;
  private final SetAsideStores stores;
  private final VotingState votingState;
  private boolean isOutdated;

  /**
   * Resumes from what earlier runs recorded.
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

  /**
   * Whether records of corrupted stores may have been deleted, and their tombstones removed, by
   * peers.
   */
  boolean isOutdated() {
    return isOutdated;
  }

  /** Records that peers have removed tombstones without this member. */
  public void outdated() {
    isOutdated = true;
  }

  /** Releases the corrupted stores: this member has all records that can be recovered. */
  public void complete() {
    isOutdated = false;
    if (stores.isPending()) {
      stores.release(context.loop(), () -> log.info("Salvaged the corrupted stores"));
    }
  }

  /** Records lost keys durably, then runs {@code next}. */
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

  /** Answers reads of absent lost keys with "not found" from now on. */
  public void acceptLoss() {
    if (!votingState.lost().isEmpty()) {
      log.warn("The loss of records in corrupted stores is accepted");
      stores.keepLost(LostKeys.NONE, context.loop(), () -> votingState.lost(LostKeys.NONE));
    }
  }

  /** How complete this member is, as reported to its peers. */
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
        // A lost disk leaves nothing to salvage.
        return stores.isPending()
            ? rebuild.certain(ranges)
            : Optional.of(ranges.stream().map(range -> false).toList());
      }
    };
  }
}
