package dev.kvorum.simulation.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What of a node outlives its process, and what is wrong with it. */
public final class SimDisk {
  /** Notified of every record as it is written. */
  public interface Watcher {
    void wrote(MemberId owner, Effect.Put put);
  }

  public final MemberId owner;
  private final Watcher watcher;
  private final LongSupplier incarnations;
  private DiskImage written = new DiskImage();
  private DiskImage synced = new DiskImage();
  private final List<List<Effect>> unsynced = new ArrayList<>();

  /** Batches that could not be written, since the last one that could. */
  private final List<List<Effect>> failed = new ArrayList<>();

  /** The newest version that was ever synced here, even if the disk was lost since. */
  private final Map<Key, Version> everSynced = new HashMap<>();

  private final Map<Key, Version> everWritten = new HashMap<>();

  /** Keys whose record cannot be read. */
  public final Set<Key> damaged = new HashSet<>();

  /** What is wrong with the store, which a process may not know yet. */
  CorruptedImage.@Nullable Corruption corruption;

  /** Corrupted stores that were set aside, by name. */
  final Map<String, CorruptedImage> corrupted = new LinkedHashMap<>();

  private int setAside;

  /** The store that is to take the current one's place. */
  @Nullable DiskImage fresh;

  /** Whether no store is in the current one's place. */
  boolean isMovedAway;

  /** After how many further steps of a replacement or salvage the process dies; 0: it does not. */
  public int stepsUntilDeath;

  LostKeys lost = LostKeys.NONE;
  public boolean isSlowToSalvage;
  public long slowMillis;
  public boolean full;
  public double failingShare;

  /** Whether the clock's mark can be kept: not where another process has the disk now. */
  public boolean keepsMarks = true;

  /** Of the process that was started last. */
  public long generation;

  /** Another one whenever it is a new disk. */
  public long incarnation;

  /** Whether its member was once a complete one. */
  public boolean founded;

  /** The features that were active here. */
  public Set<Feature> features = Set.of();

  /** The newest topology that was kept. */
  public @Nullable Topology topology;

  public SimDisk(
      MemberId owner, @Nullable Topology topology, Watcher watcher, LongSupplier incarnations) {
    this.owner = owner;
    this.topology = topology;
    this.watcher = watcher;
    this.incarnations = incarnations;
    this.incarnation = incarnations.getAsLong();
  }

  /**
   * A disk for another process of the same member.
   *
   * @param isEmpty whether it is a new one; else it is a copy, and this one keeps no marks any more
   * @param highWater above which the other process gives its versions
   */
  public SimDisk detach(boolean isEmpty, long highWater) {
    SimDisk other = new SimDisk(owner, isEmpty ? null : topology, watcher, incarnations);
    other.everSynced.putAll(everSynced);
    other.everWritten.putAll(everWritten);
    other.generation = generation;
    stepsUntilDeath = 0;
    if (!isEmpty) {
      keepsMarks = false;
      other.incarnation = incarnation;
      other.founded = founded;
      other.features = features;
      other.written = written.copy();
      other.written.apply(Effect.Meta.mark(MarkStore.CLOCK_HIGH_WATER, highWater));
      other.synced = other.written.copy();
    }
    return other;
  }

  /** Flips a bit of a stored value; its checksum stays. */
  public void flip(Key key, RandomGenerator random) {
    Versioned sound = written.records.get(key);
    if (sound == null || sound.value().length == 0) {
      return;
    }
    byte[] value = sound.value().clone();
    value[random.nextInt(value.length)] ^= (byte) (1 << random.nextInt(8));
    Versioned flipped =
        Versioned.received(
            sound.version(),
            sound.kind(),
            sound.expiresAtMillis(),
            sound.from(),
            value,
            sound.checksum());
    written.records.put(key, flipped);
    synced.records.replace(key, sound, flipped);
  }

  /** Whether all records are what was written. */
  public boolean isIntact() {
    return written.records.entrySet().stream()
        .allMatch(entry -> entry.getValue().isIntact(entry.getKey()));
  }

  /** What processes see. */
  public DiskImage written() {
    return written;
  }

  /** Writes a batch; with {@code sync} it and all before it are safe. */
  void write(List<Effect> batch, boolean sync) {
    failed.clear();
    for (Effect effect : batch) {
      written.apply(effect);
      if (effect instanceof Effect.Put put) {
        damaged.remove(put.key());
        everWritten.merge(put.key(), put.record().version(), SimDisk::newer);
        watcher.wrote(owner, put);
      }
    }
    unsynced.add(batch);
    if (sync) {
      sync();
    }
  }

  /** Cannot write a batch, of which the log may hold all the same. */
  void fail(List<Effect> batch) {
    failed.add(batch);
  }

  /** Opens the log: what could not be written may be there, each batch complete or not at all. */
  void replayFailed(RandomGenerator random) {
    List<List<Effect>> found = List.copyOf(failed.subList(0, random.nextInt(failed.size() + 1)));
    found.forEach(batch -> write(batch, false));
    failed.clear();
  }

  /** Holds from now on what no process of this run has written. */
  public void plant(List<Effect> effects) {
    sync();
    effects.forEach(written::apply);
    effects.forEach(synced::apply);
  }

  /** Makes everything written safe. */
  void sync() {
    unsynced.forEach(this::makeDurable);
    unsynced.clear();
  }

  private void makeDurable(List<Effect> batch) {
    for (Effect effect : batch) {
      synced.apply(effect);
      if (effect instanceof Effect.Put put) {
        everSynced.merge(put.key(), put.record().version(), SimDisk::newer);
      }
    }
  }

  boolean isAllSynced() {
    return unsynced.isEmpty();
  }

  /** Loses power: of what was not synced the first part is kept, by chance. */
  public void losePower(RandomGenerator random) {
    int kept = random.nextInt(unsynced.size() + 1);
    unsynced.subList(0, kept).forEach(this::makeDurable);
    unsynced.clear();
    failed.clear();
    written = synced.copy();
  }

  /** Turns out to be corrupted, at the next opening or as soon as that is read. */
  public void corrupt(CorruptedImage.Corruption found) {
    corruption = found;
  }

  /** Whether the store is corrupted, or one that was set aside is still needed. */
  public boolean isCorrupted() {
    return corruption != null || !corrupted.isEmpty();
  }

  /** Sets the store aside; without {@code isKept} it is deleted. Returns its name. */
  String moveAway(boolean isKept) {
    String name = "set-aside-" + setAside++;
    if (isKept) {
      CorruptedImage.Corruption known = corruption;
      corrupted.put(
          name,
          new CorruptedImage(written, known == null ? CorruptedImage.Corruption.NONE : known));
    }
    corruption = null;
    empty();
    isMovedAway = true;
    return name;
  }

  /** Puts a store in the place of the one that was moved away. */
  void install(DiskImage store) {
    written = store;
    synced = store.copy();
    isMovedAway = false;
  }

  /** A directory of its own on this disk, to prepare a store in. */
  SimDisk apart() {
    SimDisk apart = new SimDisk(owner, null, watcher, () -> incarnation);
    apart.failingShare = failingShare;
    return apart;
  }

  /** Is replaced by another disk. */
  public void wipe() {
    corruption = null;
    corrupted.clear();
    fresh = null;
    isMovedAway = false;
    lost = LostKeys.NONE;
    founded = false;
    features = Set.of();
    empty();
    incarnation = incarnations.getAsLong();
    topology = null;
  }

  private void empty() {
    written = new DiskImage();
    synced = new DiskImage();
    unsynced.clear();
    failed.clear();
    damaged.clear();
  }

  /** Takes this topology for the newest where none is kept. */
  public void learn(Topology newest) {
    topology = topology == null ? newest : topology;
  }

  /** Works again. */
  public void heal() {
    slowMillis = 0;
    full = false;
    failingShare = 0;
    stepsUntilDeath = 0;
    damaged.clear();
  }

  /** Whether this version or a newer one of a key was once as safe here as it should be. */
  public boolean hasKept(Key key, Version version, boolean sync) {
    Version kept = (sync ? everSynced : everWritten).getOrDefault(key, Version.NONE);
    return !version.isNewerThan(kept);
  }

  private static Version newer(Version a, Version b) {
    return a.isNewerThan(b) ? a : b;
  }
}
