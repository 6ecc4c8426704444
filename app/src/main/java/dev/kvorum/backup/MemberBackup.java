package dev.kvorum.backup;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.manifest.BackupFile;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.Manifests;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.backup.objectstore.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes a member's part of one backup: a checkpoint, which it uploads. Blocks; one thread runs it
 * once.
 *
 * <p>The intent names all files before the store is asked which of them it has, and before a sweep
 * is looked for: a sweep leaves the files of an intent.
 */
final class MemberBackup implements BackupRun.Work {
  private static final Duration SWEEP_POLL = Duration.ofSeconds(1);
  private static final int BUFFER_BYTES = 128 << 10;

  private final BackupOrder order;
  private final BackupMember member;
  private final BackupSource source;
  private final CheckpointFiles checkpoints;
  private final Pace pace;

  MemberBackup(
      BackupOrder order,
      BackupMember member,
      BackupSource source,
      CheckpointFiles checkpoints,
      Pace pace) {
    this.order = order;
    this.member = member;
    this.source = source;
    this.checkpoints = checkpoints;
    this.pace = pace;
  }

  /** Returns once the member's part is in the object store. */
  @Override
  public void run(ObjectStore store, ExecutorService uploads, AtomicReference<BackupStatus> status)
      throws BackupException, IOException, InterruptedException {
    Path directory = checkpoints.prepare(order.id());
    Checkpoint made = Checkpoint.take(source, order.epoch(), directory);
    List<Path> paths = CheckpointFiles.list(directory);
    List<BackupFile> files = hash(paths, status);
    MemberManifest intent = manifest(made, files, status.get());
    store.put(
        BackupNames.intent(member.cluster(), order.id(), member.name()), Manifests.encode(intent));
    awaitSweep(store);
    status.updateAndGet(BackupStatus::uploading);
    new CheckpointUpload(store, member.cluster(), uploads, pace, status)
        .run(directory, Archive.files(List.of(intent)));
    store.put(
        BackupNames.part(member.cluster(), order.id(), member.name()),
        Manifests.encode(manifest(made, files, status.get())));
  }

  /** Waits for a sweep that may have looked for intents before there was this one. */
  private void awaitSweep(ObjectStore store) throws IOException, InterruptedException {
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

  private List<BackupFile> hash(List<Path> paths, AtomicReference<BackupStatus> status)
      throws IOException {
    long all = 0;
    for (Path path : paths) {
      all += Files.size(path);
    }
    long bytes = all;
    status.updateAndGet(before -> before.hashing(bytes));
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
    try (InputStream in = new PacedStream(Files.newInputStream(path), pace)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private MemberManifest manifest(Checkpoint made, List<BackupFile> files, BackupStatus now) {
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
