package dev.kvorum.storage.replace;

import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.CommitListener;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.engine.DiskSpace;
import dev.kvorum.storage.engine.Engine;
import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreProbes;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.rocks.RocksStore;
import dev.kvorum.storage.salvage.LostKeysFile;
import dev.kvorum.storage.salvage.PreservedState;
import dev.kvorum.storage.salvage.SetAsideDirectory;
import dev.kvorum.storage.salvage.SetAsideStore;
import dev.kvorum.storage.salvage.StateSalvage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/** RocksDB databases, each in a directory of its own. */
public final class RocksStoreDisk implements StoreDisk {
  private final StoreSettings settings;
  private final StoreProbes probes;
  private final InstantSource wallClock;
  private final StoreDirectories directories;
  private final LostKeysFile lost;

  /**
   * The disk of the store of these settings.
   *
   * @param verifier counts records and hints that do not match their checksums
   * @param wallClock names the stores that are set aside
   */
  public RocksStoreDisk(
      StoreSettings settings,
      CommitListener probe,
      ChecksumVerifier verifier,
      InstantSource wallClock) {
    this.settings = settings;
    this.probes =
        new StoreProbes(probe, () -> DiskSpace.usableBytes(settings.directory()), verifier);
    this.wallClock = wallClock;
    this.directories = new StoreDirectories(settings.directory());
    this.lost = new LostKeysFile(directories.lostKeys());
  }

  @Override
  public StoreSettings settings() {
    return settings;
  }

  @Override
  public void finishInterrupted() throws IOException {
    directories.finishInterrupted();
  }

  @Override
  public RecordStore open(Consumer<String> onCorruption) {
    return RocksStore.open(settings, probes, onCorruption);
  }

  @Override
  public PreservedState salvageState() {
    return StateSalvage.of(settings);
  }

  @Override
  public void prepareFresh(PreservedState inherited) throws IOException, EngineException {
    directories.clearFresh();
    try (Engine fresh = RocksStore.openEngine(settings.in(directories.fresh()))) {
      inherited.leaveIn(fresh);
    }
  }

  @Override
  public String swap(boolean isCorrupted) throws IOException {
    long freeMinBytes = settings.storage().diskFreeMinBytes();
    return directories.swap(wallClock.instant(), isCorrupted, freeMinBytes).toString();
  }

  @Override
  public List<String> corrupted() throws IOException {
    return directories.corrupted().stream().map(Path::toString).toList();
  }

  @Override
  public SetAsideStore setAside(String name) {
    return new SetAsideDirectory(settings.salvagedIn(Path.of(name)));
  }

  @Override
  public void release(List<String> salvaged) throws IOException {
    List<Path> stores = salvaged.stream().map(Path::of).toList();
    directories.release(stores, settings.storage().diskFreeMinBytes());
  }

  @Override
  public LostKeys lostKeys() throws IOException {
    return lost.read();
  }

  @Override
  public void keepLostKeys(LostKeys now) throws IOException {
    lost.write(now);
  }

  @Override
  public void check() throws IOException {
    directories.checkDisk();
  }
}
