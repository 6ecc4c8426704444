package dev.kvorum.backup;

import dev.kvorum.backup.BackupException.Reason;
import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.archive.Archive.Missing;
import dev.kvorum.backup.manifest.BackupFile;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.VerifiedStream;
import dev.kvorum.backup.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Uploads a checkpoint. A file that the object store has already is not uploaded again. */
final class CheckpointUpload {
  /** How often files are looked for that vanished from the object store during the upload. */
  private static final int PRESENCE_CHECKS_MAX = 3;

  private final ObjectStore store;
  private final String cluster;
  private final ExecutorService threads;
  private final Pace pace;
  private final AtomicReference<BackupStatus> status;

  /**
   * Creates an upload that has not begun.
   *
   * @param cluster id of the cluster
   * @param threads which upload a file each
   * @param status counts the files
   */
  CheckpointUpload(
      ObjectStore store,
      String cluster,
      ExecutorService threads,
      Pace pace,
      AtomicReference<BackupStatus> status) {
    this.store = store;
    this.cluster = cluster;
    this.threads = threads;
    this.pace = pace;
    this.status = status;
  }

  /** Uploads what the object store does not have, and returns once it has all. */
  void run(Path checkpoint, List<BackupFile> files)
      throws BackupException, IOException, InterruptedException {
    Set<BackupFile> present = new LinkedHashSet<>(files);
    List<BackupFile> missing = missing(files);
    missing.forEach(present::remove);
    present.forEach(file -> status.updateAndGet(before -> before.had(file.bytes(), false)));
    for (int check = 1; !missing.isEmpty(); check++) {
      if (check > PRESENCE_CHECKS_MAX) {
        throw new BackupException(
            Reason.OBJECT_STORE, "uploaded files are not in the object store, or not complete");
      }
      uploadAll(checkpoint, missing);
      missing = missing(files);
    }
  }

  private List<BackupFile> missing(List<BackupFile> files) throws IOException {
    return new Archive(store).missing(cluster, files).stream().map(Missing::file).toList();
  }

  private void uploadAll(Path checkpoint, Collection<BackupFile> files)
      throws IOException, InterruptedException {
    List<Callable<Void>> tasks = new ArrayList<>();
    AtomicBoolean isFailing = new AtomicBoolean();
    for (BackupFile file : files) {
      tasks.add(() -> {
        try {
          if (!isFailing.get()) {
            upload(checkpoint, file);
          }
        } catch (IOException | RuntimeException | Error e) {
          // Each of the others could repeat its request for minutes too.
          isFailing.set(true);
          throw e;
        }
        return null;
      });
    }
    for (Future<Void> task : threads.invokeAll(tasks)) {
      try {
        task.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failure) {
          throw failure;
        }
        throw new IllegalStateException(e.getCause());
      }
    }
  }

  private void upload(Path checkpoint, BackupFile file) throws IOException {
    Path path = checkpoint.resolve(file.name());
    store.put(
        BackupNames.object(cluster, file),
        file.bytes(),
        () -> new VerifiedStream(new PacedStream(Files.newInputStream(path), pace), file));
    status.updateAndGet(before -> before.had(file.bytes(), true));
  }
}
