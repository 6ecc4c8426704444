package dev.kvorum.backup.restore;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.replica.VotingRights;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.WriteResult;

/**
 * A replica's rights while a backup is restored: none in reads, since what is absent may only not
 * be restored yet. A node that has lost its mark, as with its disk, cannot read from it either.
 */
public final class RestoringVotes implements VotingRights {
  private final VotingRights otherwise;
  private final MarkStore marks;

  /**
   * The rights of a replica.
   *
   * @param otherwise its rights when no backup is being restored
   */
  public RestoringVotes(VotingRights otherwise, MarkStore marks) {
    this.otherwise = otherwise;
    this.marks = marks;
  }

  private boolean isRestoring() {
    return marks.mark(MarkStore.RESTORING) != 0;
  }

  @Override
  public boolean has(Key key) {
    return !isRestoring() && otherwise.has(key);
  }

  @Override
  public boolean hasAll() {
    return !isRestoring() && otherwise.hasAll();
  }

  @Override
  public boolean isLost(Key key) {
    return otherwise.isLost(key);
  }

  @Override
  public boolean isAnyLost(KeyRange range) {
    return otherwise.isAnyLost(range);
  }

  @Override
  public WriteResult onStored(Mutation mutation) {
    return otherwise.onStored(mutation);
  }

  @Override
  public WriteResult onSuperseded(Mutation mutation, WriteResult.Superseded superseded) {
    return otherwise.onSuperseded(mutation, superseded);
  }
}
