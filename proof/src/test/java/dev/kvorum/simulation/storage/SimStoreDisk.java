package dev.kvorum.simulation.storage;

import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.engine.VirtualStore;
import dev.kvorum.storage.replace.StoreDisk;
import dev.kvorum.storage.salvage.PreservedState;
import dev.kvorum.storage.salvage.SetAsideStore;
import dev.kvorum.virtualtime.VirtualLoop;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The stores on a simulated disk, as one process sees them. */
final class SimStoreDisk implements StoreDisk {
  private final SimDisk disk;
  private final StoreSettings settings;
  private final DiskSteps steps;
  private final ChecksumVerifier verifier;
  private final VirtualLoop device;
  private final RandomGenerator random;
  private final VirtualStore.Delays delays;
  private @Nullable SimEngine engine;

  SimStoreDisk(
      DiskSteps steps,
      StoreSettings settings,
      ChecksumVerifier verifier,
      VirtualLoop device,
      VirtualStore.Delays delays) {
    this.disk = steps.disk();
    this.settings = settings;
    this.steps = steps;
    this.verifier = verifier;
    this.device = device;
    this.random = steps.random();
    this.delays = delays;
  }

  /** The process dies: what was being written may be there or not. */
  void die() {
    if (engine != null) {
      engine.die();
    }
  }

  @Override
  public StoreSettings settings() {
    return settings;
  }

  @Override
  public void finishInterrupted() {
    if (disk.fresh != null && disk.isMovedAway) {
      moveFresh();
    }
    disk.fresh = null;
  }

  private void moveFresh() {
    steps.live();
    disk.install(Objects.requireNonNull(disk.fresh));
    disk.fresh = null;
  }

  @Override
  public RecordStore open(Consumer<String> onCorruption) {
    if (disk.corruption != null) {
      throw StoreOpenException.of(settings.directory(), SimEngine.corruption("a block"));
    }
    SimEngine opened = new SimEngine(disk, random);
    engine = opened;
    return VirtualStore.open(
        opened, settings, this::freeBytes, verifier, onCorruption, device, delays);
  }

  private long freeBytes() {
    return disk.full ? 0 : Long.MAX_VALUE;
  }

  @Override
  public PreservedState salvageState() {
    DiskImage unreadable = disk.written();
    return new PreservedState(
        unreadable.mark(MarkStore.CLOCK_HIGH_WATER),
        unreadable.purgedUpTo(),
        unreadable.mark(MarkStore.RESET));
  }

  @Override
  public void prepareFresh(PreservedState inherited) throws IOException, EngineException {
    steps.write();
    SimDisk apart = disk.apart();
    inherited.leaveIn(new SimEngine(apart, random));
    disk.fresh = apart.written();
  }

  @Override
  public String swap(boolean isCorrupted) throws IOException {
    if (isCorrupted && disk.corrupted.size() >= CORRUPTED_MAX) {
      throw new IOException("too many corrupted stores");
    }
    steps.live();
    String name = disk.moveAway(isCorrupted);
    moveFresh();
    return name;
  }

  @Override
  public List<String> corrupted() {
    return List.copyOf(disk.corrupted.keySet());
  }

  @Override
  public SetAsideStore setAside(String name) {
    return new SimSetAsideStore(Objects.requireNonNull(disk.corrupted.get(name)), steps, random);
  }

  @Override
  public void release(List<String> salvaged) throws IOException {
    for (String name : salvaged) {
      steps.write();
      disk.corrupted.remove(name);
    }
    disk.stepsUntilDeath = 0;
  }

  @Override
  public LostKeys lostKeys() {
    return disk.lost;
  }

  @Override
  public void keepLostKeys(LostKeys lost) throws IOException {
    steps.write();
    disk.lost = lost;
  }

  @Override
  public void check() throws IOException {
    if (disk.failingShare > 0) {
      throw new IOException("the disk fails");
    }
  }
}
