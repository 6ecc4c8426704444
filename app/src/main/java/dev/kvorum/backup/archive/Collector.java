package dev.kvorum.backup.archive;

import dev.kvorum.backup.manifest.BackupFile;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.Garbage;
import dev.kvorum.backup.manifest.Manifests;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.backup.objectstore.NoSuchObjectException;
import dev.kvorum.backup.objectstore.ObjectStore;
import dev.kvorum.backup.objectstore.StoredObject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes files of a cluster that no backup has any more, in two steps a day apart. A running
 * backup has what its intents name.
 *
 * <p>A member writes its intent before it looks for a sweep, and a sweep is announced before it
 * looks for intents. So either the member waits for the sweep to end, or the sweep sees the intent.
 */
public final class Collector {
  /** Age from which what is still garbage is deleted. */
  public static final Duration GRACE = Duration.ofHours(24);

  /** Age from which a backup without a manifest is given up. */
  public static final Duration ABANDONED = Duration.ofDays(7);

  private final ObjectStore store;
  private final String cluster;
  private final InstantSource clock;

  /** Number of files that were marked, and deleted. */
  public record Report(int marked, int deleted) {}

  public Collector(ObjectStore store, String cluster, InstantSource clock) {
    this.store = store;
    this.cluster = cluster;
    this.clock = clock;
  }

  /** Deletes a backup: first its manifest, so that no part of it is taken for a backup. */
  public void drop(BackupManifest backup) throws IOException {
    store.delete(BackupNames.manifest(cluster, backup.id()));
    for (StoredObject object : list(BackupNames.backup(cluster, backup.id()))) {
      store.delete(object.name());
    }
  }

  /**
   * Marks what is garbage now, and deletes what was marked a day ago and still is. Empty if another
   * sweep is running, which may leave some of it to a later one.
   */
  public Optional<Report> collect() throws IOException {
    Instant now = clock.instant();
    for (StoredObject other : list(BackupNames.sweep(cluster))) {
      if (other.modified().plus(BackupNames.SWEEP_MAX).isAfter(now)) {
        return Optional.empty();
      }
    }
    store.put(BackupNames.sweep(cluster), new byte[0]);
    try {
      return Optional.of(sweep(now));
    } finally {
      store.delete(BackupNames.sweep(cluster));
    }
  }

  private Report sweep(Instant now) throws IOException {
    Set<String> garbage = garbage(used(now));
    Set<String> marked = new HashSet<>();
    int deleted = 0;
    for (StoredObject list : list(BackupNames.garbage(cluster))) {
      byte[] bytes = store.read(list.name(), Manifests.BYTES_MAX);
      Garbage found = Manifests.decode(Garbage.class, bytes, list.name());
      if (found.found().plus(GRACE).isAfter(now)) {
        marked.addAll(found.objects());
      } else {
        deleted += delete(found, garbage, now);
        store.delete(list.name());
      }
    }
    garbage.removeAll(marked);
    if (!garbage.isEmpty()) {
      List<String> names = garbage.stream().sorted().toList();
      store.put(
          BackupNames.garbage(cluster, now),
          Manifests.encode(new Garbage(Manifests.FORMAT, now, names)));
    }
    return new Report(garbage.size(), deleted);
  }

  private Set<String> garbage(Set<String> used) throws IOException {
    String prefix = BackupNames.objects(cluster);
    Set<String> garbage = new HashSet<>();
    store.list(
        prefix,
        object -> {
          String name = object.name().substring(prefix.length());
          if (!used.contains(name)) {
            garbage.add(name);
          }
        });
    return garbage;
  }

  /** Deletes what is garbage still; what there is no time for is left, to be marked again. */
  private int delete(Garbage found, Set<String> garbage, Instant begun) throws IOException {
    int deleted = 0;
    for (String name : found.objects()) {
      // A member no longer waits for this sweep at twice that time.
      boolean hasTime = clock.instant().isBefore(begun.plus(BackupNames.SWEEP_MAX.dividedBy(2)));
      if (hasTime && garbage.remove(name)) {
        store.delete(BackupNames.objects(cluster) + name);
        deleted++;
      }
    }
    return deleted;
  }

  /** The objects that a manifest of a member or an intent names; deletes abandoned backups. */
  private Set<String> used(Instant now) throws IOException {
    Set<String> used = new HashSet<>();
    List<StoredObject> manifests = list(BackupNames.backups(cluster));
    Set<String> complete = new HashSet<>();
    for (StoredObject object : manifests) {
      BackupNames.found(object.name()).ifPresent(found -> complete.add(found.id()));
    }
    for (StoredObject object : manifests) {
      String id = BackupNames.idOf(object.name());
      if (BackupNames.found(object.name()).isPresent()) {
        continue;
      }
      if (!complete.contains(id) && object.modified().plus(ABANDONED).isBefore(now)) {
        store.delete(object.name());
        continue;
      }
      try {
        byte[] bytes = store.read(object.name(), Manifests.BYTES_MAX);
        MemberManifest part = Manifests.decode(MemberManifest.class, bytes, object.name());
        part.files().stream().map(BackupFile::object).forEach(used::add);
      } catch (NoSuchObjectException e) {
        // A prune of another series has deleted its backup since the list was read.
      }
    }
    return used;
  }

  private List<StoredObject> list(String prefix) throws IOException {
    List<StoredObject> all = new ArrayList<>();
    store.list(prefix, all::add);
    return all;
  }
}
