package dev.kvorum.node;

import dev.kvorum.backup.BackupSource;
import dev.kvorum.data.KeyRange;
import dev.kvorum.replica.VotingRights;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.nio.file.Path;
import java.time.Instant;

/** What backups take from a node. */
public final class NodeBackupSource implements BackupSource {
  private final NodeCore core;
  private final Store store;
  private final StoreCopy copy;

  /** Copies the store to a directory. */
  public interface StoreCopy {
    void to(Path directory) throws EngineException;
  }

  /**
   * The source of a node's backups.
   *
   * @param copy copies this store
   */
  public NodeBackupSource(NodeCore core, Store store, StoreCopy copy) {
    this.core = core;
    this.store = store;
    this.copy = copy;
  }

  @Override
  public State state() {
    Topology topology = core.layout().topology();
    VotingRights votes = core.repair().votes();
    boolean isWhole = votes.hasAll() && !votes.isAnyLost(KeyRange.ALL);
    return new State(
        topology.epoch(), topology.phase() == Phase.STABLE, isWhole && !core.fence().isRaised());
  }

  @Override
  public void checkpoint(Path directory) throws EngineException {
    copy.to(directory);
  }

  @Override
  public long newestStamp() {
    return store.newestStamp();
  }

  @Override
  public long purgedUpTo() {
    return store.purgedUpTo();
  }

  @Override
  public Instant now() {
    return Instant.ofEpochMilli(core.background().wallMillis());
  }
}
