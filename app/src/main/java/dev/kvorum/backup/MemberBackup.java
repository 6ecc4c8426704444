package dev.kvorum.backup;

import dev.kvorum.backup.BackupException.Reason;
import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.archive.Archive.Missing;
import dev.kvorum.backup.manifest.BackupFile;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.Manifests;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.backup.manifest.VerifiedStream;
import dev.kvorum.backup.objectstore.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * Makes a member's part of one backup: a checkpoint, which it uploads. A file that the object store
 * has already is not uploaded again. Blocks; one thread runs it once.
 *
 * <p>The intent names all files before the store is asked which of them it has, and before a sweep
 * is looked for: a sweep leaves the files of an intent.
 */
final class MemberBackup {
  /** How often files are looked for that vanished from the object store during the upload. */
  private static final int PRESENCE_CHECKS_MAX = 3;

  private static final Duration SWEEP_POLL = Duration.ofSeconds(1);
  private static final int BUFFER_BYTES = 128 << 10;

  private final BackupOrder order;
  private final BackupMember member;
  private final BackupSource source;
  private final CheckpointFiles checkpoints;
  private final ObjectStore store;
  private final ExecutorService uploads;
  private final Pace pace;
  private final AtomicReference<BackupStatus> status;

  MemberBackup(
      BackupOrder order,
      BackupMember member,
      BackupSource source,
      CheckpointFiles checkpoints,
      ObjectStore store,
      ExecutorService uploads,
      Pace pace,
      AtomicReference<BackupStatus> status) {
    this.order = order;
    this.member = member;
    this.source = source;
    this.checkpoints = checkpoints;
    this.store = store;
    this.uploads = uploads;
    this.pace = pace;
    this.status = status;
  }

  /** Returns once the member's part is in the object store. */
  void run() throws BackupException, IOException, InterruptedException {
    Path directory = checkpoints.prepare(order.id());
    Checkpoint made = Checkpoint.take(source, order.epoch(), directory);
    List<Path> paths = CheckpointFiles.list(directory);
    List<BackupFile> files = hash(paths);
    MemberManifest intent = manifest(made, files);
    store.put(
        BackupNames.intent(member.cluster(), order.id(), member.name()), Manifests.encode(intent));
    awaitSweep();
    update(BackupStatus::uploading);
    upload(directory, Archive.files(List.of(intent)));
    store.put(
        BackupNames.part(member.cluster(), order.id(), member.name()),
        Manifests.encode(manifest(made, files)));
  }

  /** Waits for a sweep that may have looked for intents before there was this one. */
  private void awaitSweep() throws IOException, InterruptedException {
    AtomicBoolean isRunning = new AtomicBoolean();
    do {
      isRunning.set(false);
      store.list(
          BackupNames.sweep(member.cluster()),
          sweep ->
              isRunning.compareAndSet(
                  false, sweep.modified().plus(BackupNames.SWEEP_MAX).isAfter(source.now())));
      if (isRunning.get()) {
        Thread.sleep(SWEEP_POLL);
      }
    } while (isRunning.get());
  }

  private void update(UnaryOperator<BackupStatus> change) {
    status.updateAndGet(change);
  }

  private List<BackupFile> hash(List<Path> paths) throws IOException {
    long all = 0;
    for (Path path : paths) {
      all += Files.size(path);
    }
    long bytes = all;
    update(before -> before.hashing(bytes));
    KnownFiles known = KnownFiles.read(checkpoints.known());
    List<BackupFile> files = new ArrayList<>();
    for (Path path : paths) {
      String sha256 = known.hash(path, this::sha256);
      String name = String.valueOf(path.getFileName());
      String object = order.store().nameOf(sha256);
      files.add(new BackupFile(name, Files.size(path), sha256, object));
    }
    known.keep();
    return files;
  }

  private String sha256(Path path) throws IOException {
    MessageDigest digest = Manifests.sha256();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = paced(path)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private InputStream paced(Path path) throws IOException {
    return new PacedStream(Files.newInputStream(path), pace);
  }

  /** Uploads what the object store does not have. */
  private void upload(Path checkpoint, List<BackupFile> files)
      throws BackupException, IOException, InterruptedException {
    Set<BackupFile> present = new LinkedHashSet<>(files);
    List<BackupFile> missing = missing(files);
    missing.forEach(present::remove);
    present.forEach(file -> update(before -> before.had(file.bytes(), false)));
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
    return new Archive(store).missing(member.cluster(), files).stream().map(Missing::file).toList();
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
    for (Future<Void> task : uploads.invokeAll(tasks)) {
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
        BackupNames.object(member.cluster(), file),
        file.bytes(),
        () -> new VerifiedStream(paced(path), file));
    update(before -> before.had(file.bytes(), true));
  }

  private MemberManifest manifest(Checkpoint made, List<BackupFile> files) {
    BackupStatus now = status.get();
    return new MemberManifest(
        Manifests.FORMAT,
        order.id(),
        member.cluster(),
        member.name(),
        member.incarnation(),
        made.epoch(),
        made.votes(),
        made.began(),
        made.ended(),
        made.newestStamp(),
        made.purgedUpTo(),
        member.tombstoneAgeMin().toMillis(),
        now.bytes(),
        now.uploadedBytes(),
        files);
  }
}
