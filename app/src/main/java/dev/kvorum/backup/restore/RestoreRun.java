package dev.kvorum.backup.restore;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.archive.Checkpoints;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupNames.Found;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.backup.objectstore.ObjectStore;
import dev.kvorum.backup.restore.RestoreStatus.Phase;
import dev.kvorum.data.Mutation;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.salvage.CheckpointReader;
import dev.kvorum.topology.MemberId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An order to restore that is carried out, on a thread of its own. */
final class RestoreRun {
  private static final Logger log = LoggerFactory.getLogger(RestoreRun.class);
  private static final Duration RETRY_FOR = Duration.ofMinutes(5);
  private static final ScanLimits PAGE = new ScanLimits(4096, 1 << 20);

  private final RestoreOrder order;
  private final Sources sources;
  private final MemberId self;
  private final StoreSettings settings;
  private final Checkpoints files;
  private final RecordRestorer records;
  private final Thread worker;
  private volatile Phase phase = Phase.DOWNLOAD;
  private volatile String failure = "";
  private final LongAdder count = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /** Which sources are restored, durably. */
  interface Sources {
    boolean isDone(String source);

    /** Notes that a source is restored. Blocks. */
    void done(String source) throws IOException;
  }

  RestoreRun(
      RestoreOrder order,
      Sources sources,
      BackgroundContext context,
      StoreSettings settings,
      Checkpoints files,
      int window) {
    this.order = order;
    this.sources = sources;
    this.self = context.self();
    this.settings = settings;
    this.files = files;
    this.records = new RecordRestorer(context, window);
    this.worker = Thread.ofPlatform().daemon().name("kvorum-restore").unstarted(this::run);
  }

  void start() {
    worker.start();
  }

  boolean isOver() {
    return phase == Phase.WAITING || phase == Phase.FAILED;
  }

  RestoreStatus status(String id, String finished) {
    String message = failure.isEmpty() ? records.rejection() : failure;
    List<String> done = order.sources().stream().filter(sources::isDone).toList();
    return new RestoreStatus(id, phase, message, done, count.sum(), bytes.sum(), finished);
  }

  private void run() {
    try (ObjectStore store = order.store().open(RETRY_FOR)) {
      Archive archive = new Archive(store);
      BackupManifest manifest = archive.read(new Found(order.cluster(), order.id()));
      List<MemberManifest> parts = archive.parts(manifest);
      boolean areComplete =
          parts.size() == manifest.topology().size()
              && parts.stream().allMatch(MemberManifest::votes);
      for (String source : order.sources()) {
        if (!sources.isDone(source)) {
          restore(store, part(parts, source), new Destinations(self, source, areComplete));
          sources.done(source);
        }
      }
      phase = Phase.WAITING;
    } catch (InterruptedException e) {
      fail("it was interrupted", e);
    } catch (IOException | RuntimeException | Error e) {
      fail(String.valueOf(e.getMessage()), e);
    }
  }

  private void fail(String why, Throwable cause) {
    failure = why;
    phase = Phase.FAILED;
    log.warn("The restore of backup {} failed: {}", order.id(), why, cause);
  }

  private static MemberManifest part(List<MemberManifest> parts, String source) throws IOException {
    return parts.stream()
        .filter(one -> one.member().equals(source))
        .findFirst()
        .orElseThrow(() -> new IOException("the backup has no part of " + source));
  }

  private void restore(ObjectStore store, MemberManifest part, Destinations destinations)
      throws IOException, InterruptedException {
    phase = Phase.DOWNLOAD;
    Path checkpoint = files.fetch(store, part);
    phase = Phase.STORE;
    try (CheckpointReader reader =
        CheckpointReader.open(settings.salvagedIn(checkpoint), Optional.empty())) {
      CompletableFuture<Void> stored = CompletableFuture.completedFuture(null);
      Salvaged.Page page;
      do {
        // One page is read while the one before is stored.
        page = reader.next(PAGE);
        List<Mutation> read = checked(part.member(), page);
        await(stored);
        stored = records.store(read, destinations).thenRun(() -> count(read));
      } while (!page.isLast());
      await(stored);
    }
    files.clear();
  }

  private static List<Mutation> checked(String source, Salvaged.Page page) throws IOException {
    if (!page.unreadable().isEmpty()) {
      throw new IOException(
          "the checkpoint of " + source + " has unreadable keys: " + page.unreadable().getFirst());
    }
    return page.records().stream().map(Salvageable::mutation).toList();
  }

  private static void await(CompletableFuture<Void> stored) throws InterruptedException {
    try {
      stored.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private void count(List<Mutation> stored) {
    count.add(stored.size());
    bytes.add(stored.stream().mapToLong(Mutation::heapBytes).sum());
  }

  /** Ends the work. Does not wait. */
  void stop() {
    records.stop();
    worker.interrupt();
  }

  /** Waits until the work is over. */
  void await(Duration timeout) throws InterruptedException {
    if (!worker.join(timeout)) {
      log.warn("The restore of backup {} does not end", order.id());
    }
  }
}
