package dev.kvorum.backup.archive;

import dev.kvorum.backup.manifest.BackupFile;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.BackupNames.Found;
import dev.kvorum.backup.manifest.Manifests;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.backup.objectstore.NoSuchObjectException;
import dev.kvorum.backup.objectstore.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The complete backups in an object store. */
public final class Archive {
  /** An id that stands for the newest backup. */
  public static final String LATEST = "latest";

  private final ObjectStore store;

  public Archive(ObjectStore store) {
    this.store = store;
  }

  public ObjectStore store() {
    return store;
  }

  /** All complete backups, oldest first. */
  public List<Found> list() throws IOException {
    List<Found> all = new ArrayList<>();
    store.list(BackupNames.BACKUPS, object -> BackupNames.found(object.name()).ifPresent(all::add));
    all.sort(Comparator.comparing(Found::id));
    return all;
  }

  /**
   * The backup of this id.
   *
   * @param cluster id of its cluster; empty if there is only one in the store
   * @param series that it has to belong to; empty if it may be any or none
   * @throws IllegalArgumentException if the id has another form, or several clusters have one
   * @throws IOException also if there is none
   */
  public BackupManifest find(String id, Optional<String> cluster, Optional<String> series)
      throws IOException {
    if (!id.equals(LATEST) && !BackupNames.isId(id)) {
      throw new IllegalArgumentException(
          "'" + id + "' is not the id of a backup: `kvorum-backup list` shows them, or " + LATEST);
    }
    List<Found> found =
        list().stream()
            .filter(one -> cluster.isEmpty() || cluster.get().equals(one.cluster()))
            .filter(one -> id.equals(LATEST) || id.equals(one.id()))
            .toList();
    List<String> clusters = found.stream().map(Found::cluster).distinct().toList();
    if (clusters.size() > 1) {
      throw new IllegalArgumentException(
          "the store has backups of several clusters; name one with --cluster: " + clusters);
    }
    for (Found newest : found.reversed()) {
      Optional<BackupManifest> manifest = readIfThere(newest);
      if (manifest.isPresent() && manifest.get().isOf(series)) {
        return manifest.get();
      }
    }
    throw new IOException(
        "there is no complete backup"
            + (id.equals(LATEST) ? "" : " " + id)
            + series.map(name -> " of the series " + name).orElse(""));
  }

  /** Reads a backup's manifest; empty if it is not complete, or deleted. */
  public Optional<BackupManifest> readIfThere(Found found) throws IOException {
    try {
      return Optional.of(read(found));
    } catch (NoSuchObjectException e) {
      return Optional.empty();
    }
  }

  /** Reads a backup's manifest. */
  public BackupManifest read(Found found) throws IOException {
    String name = BackupNames.manifest(found.cluster(), found.id());
    BackupManifest manifest =
        Manifests.decode(BackupManifest.class, store.read(name, Manifests.BYTES_MAX), name);
    if (!manifest.id().equals(found.id()) || !manifest.cluster().equals(found.cluster())) {
      throw new IOException(name + " is that of another backup, " + manifest.id());
    }
    return manifest;
  }

  /** Reads the manifests of a backup's members; each must be the one that was backed up. */
  public List<MemberManifest> parts(BackupManifest backup) throws IOException {
    List<MemberManifest> parts = new ArrayList<>();
    for (BackupManifest.Part part : backup.parts()) {
      String name = BackupNames.part(backup.cluster(), backup.id(), part.member());
      byte[] bytes = store.read(name, Manifests.BYTES_MAX);
      if (!Manifests.sha256(bytes).equals(part.sha256())) {
        throw new IOException(name + " is not the one that was backed up");
      }
      parts.add(Manifests.decode(MemberManifest.class, bytes, name));
    }
    return parts;
  }

  /** Reads what a member has backed up; empty if it has not. */
  public Optional<byte[]> part(String cluster, String id, String member) throws IOException {
    try {
      return Optional.of(store.read(BackupNames.part(cluster, id, member), Manifests.BYTES_MAX));
    } catch (NoSuchObjectException e) {
      return Optional.empty();
    }
  }

  /** The files of parts, each object once. */
  public static List<BackupFile> files(List<MemberManifest> parts) {
    Map<String, BackupFile> files = new LinkedHashMap<>();
    parts.forEach(part -> part.files().forEach(file -> files.put(file.object(), file)));
    return List.copyOf(files.values());
  }

  /**
   * A file that is not in the store, or not as it was.
   *
   * @param object its full name
   * @param found length of the object; null if there is none
   */
  public record Missing(BackupFile file, String object, @Nullable Long found) {
    @Override
    public String toString() {
      return object
          + (found == null ? " is missing" : " has " + found + " bytes instead of " + file.bytes());
    }
  }

  /** Those of a cluster's files that are not in the store, or have another length. */
  public List<Missing> missing(String cluster, Collection<BackupFile> files) throws IOException {
    Map<String, BackupFile> wanted = new LinkedHashMap<>();
    files.forEach(file -> wanted.put(BackupNames.object(cluster, file), file));
    Map<String, Long> lengths = new HashMap<>();
    store.list(
        BackupNames.objects(cluster),
        object -> {
          if (wanted.containsKey(object.name())) {
            lengths.put(object.name(), object.bytes());
          }
        });
    List<Missing> missing = new ArrayList<>();
    wanted.forEach((object, file) -> {
      Long found = lengths.get(object);
      if (found == null || found != file.bytes()) {
        missing.add(new Missing(file, object, found));
      }
    });
    return missing;
  }
}
