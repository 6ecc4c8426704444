package dev.kvorum.backup.tool;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.salvage.CheckpointReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The newest record of each key in a range, out of the checkpoints of several members; tombstones
 * and expired records too. Confined to one thread.
 */
final class NewestRecords implements AutoCloseable {
  private static final ScanLimits PAGE = new ScanLimits(1024, 1 << 20);

  private final KeyRange range;
  private final List<Source> sources = new ArrayList<>();
  private final PriorityQueue<Source> byKey =
      new PriorityQueue<>(Comparator.comparing(source -> source.head().key()));

  /** The records of one checkpoint. */
  private final class Source {
    private final CheckpointReader reader;
    private final Deque<Mutation> page = new ArrayDeque<>();
    private boolean isLast;

    Source(CheckpointReader reader) {
      this.reader = reader;
    }

    Mutation head() {
      return page.getFirst();
    }

    /** Reads until there is a record; returns false at the end of the range. */
    boolean fill() throws IOException {
      while (page.isEmpty() && !isLast) {
        Salvaged.Page next = reader.next(PAGE);
        for (KeyRange unreadable : next.unreadable()) {
          if (unreadable.overlaps(range)) {
            throw new IOException("the keys " + unreadable + " cannot be read");
          }
        }
        next.records().stream().map(Salvageable::mutation).forEach(page::add);
        isLast = next.isLast();
      }
      return !page.isEmpty() && range.contains(head().key());
    }
  }

  private NewestRecords(KeyRange range) {
    this.range = range;
  }

  /**
   * Opens checkpoints.
   *
   * @param settings settings for each, whose directory does not count
   */
  static NewestRecords of(List<Path> checkpoints, StoreSettings settings, KeyRange range)
      throws IOException {
    NewestRecords records = new NewestRecords(range);
    try {
      for (Path checkpoint : checkpoints) {
        Optional<Key> start = range.start();
        Source source =
            records.new Source(CheckpointReader.open(settings.salvagedIn(checkpoint), start));
        records.sources.add(source);
        records.enqueue(source);
      }
      return records;
    } catch (IOException e) {
      records.close();
      throw e;
    }
  }

  private void enqueue(Source source) throws IOException {
    if (source.fill()) {
      byKey.add(source);
    }
  }

  /** The next record; null at the end. */
  @Nullable Mutation next() throws IOException {
    Mutation newest = null;
    while (!byKey.isEmpty() && (newest == null || newest.key().equals(byKey.peek().head().key()))) {
      Source source = byKey.remove();
      Mutation found = source.page.removeFirst();
      newest = newest == null || wins(found, newest) ? found : newest;
      enqueue(source);
    }
    return newest;
  }

  /**
   * As replicas decide between two records. A tombstone of the same version is of a member whose
   * clock has passed the expiry; the caller asks whether the record has expired.
   */
  private static boolean wins(Mutation one, Mutation other) {
    Versioned record = one.record();
    Versioned held = other.record();
    boolean isExpired = held.tombstone() && record.version().equals(held.version());
    return record.version().isNewerThan(held.version())
        || (isExpired && !record.tombstone())
        || record.outweighs(held);
  }

  @Override
  public void close() {
    sources.forEach(source -> source.reader.close());
  }
}
