package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.KeyRange;
import dev.kvorum.repair.state.RecordCompleteness;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.SetAsideStores;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
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

  private static final long RETRY_MILLIS = 1000;

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

  VotingState votingState() {
    return votingState;
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
    assert context.isOnLoop();
    isOutdated = true;
  }

  /**
   * Records that no corrupted store is needed once this member is complete: it joins, and receives
   * all its records through the change.
   */
  public void skip() {
    assert context.isOnLoop();
    stores.begin();
  }

  /** Releases the corrupted stores: this member has all records that can be recovered. */
  public void complete() {
    assert context.isOnLoop();
    isOutdated = false;
    release();
  }

  private void release() {
    // A member that is no longer complete reads its stores again.
    if (stores.isPending() && votingState.hasAll()) {
      stores.release(
          context.loop(),
          released -> {
            if (released) {
              log.info("The corrupted stores are no longer needed");
            } else {
              later(this::release);
            }
          });
    }
  }

  /**
   * Records lost keys beside those of earlier corruptions, and tries again until they are durable:
   * the corrupted stores may only be released then.
   *
   * @param isOver returns whether that is no longer needed
   */
  void lost(LostKeys lost, BooleanSupplier isOver, Runnable next) {
    assert context.isOnLoop();
    if (isOver.getAsBoolean()) {
      return;
    }
    if (lost.isEmpty()) {
      next.run();
      return;
    }
    LostKeys all = votingState.lost().with(lost);
    stores.keepLost(
        all,
        context.loop(),
        isDurable -> {
          if (isDurable) {
            onLost(all);
            next.run();
          } else {
            later(() -> lost(lost, isOver, next));
          }
        });
  }

  private void later(Runnable action) {
    context.loop().schedule(action, RETRY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void onLost(LostKeys lost) {
    votingState.lost(lost);
    log.error(
        "Acknowledged records may be lost for good in {} key ranges of {} slots: corrupted stores"
            + " could not be read there, and too few peers have complete ones. Reads of what is"
            + " absent there fail with data-lost until the loss is accepted (docs/operations.md)",
        lost.ranges().size(),
        lost.slots().cardinality());
  }

  /** Responds to reads of absent lost keys with "not found" from now on. */
  public void acceptLoss() {
    assert context.isOnLoop();
    if (!votingState.lost().isEmpty()) {
      stores.keepLost(LostKeys.NONE, context.loop(), this::onAccepted);
    }
  }

  private void onAccepted(boolean isDurable) {
    if (isDurable) {
      votingState.lost(LostKeys.NONE);
      log.warn("The loss of records in corrupted stores is accepted");
    } else {
      log.error("That the loss of records is accepted could not be recorded: accept it again");
    }
  }

  /** How complete this member is, as reported to its peers. */
  public RecordCompleteness completeness(Supplier<@Nullable Rebuild> rebuilds) {
    return new RecordCompleteness() {
      @Override
      public boolean hasAll() {
        return votingState.hasAll();
      }

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
