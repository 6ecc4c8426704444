package dev.kvorum.audit;

import dev.kvorum.auth.RequestRate;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes records from any thread, which never waits, and writes them on a thread of its own. What it
 * cannot take or write is counted. Safe for use by many threads.
 */
public final class AuditLog implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AuditLog.class);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(1);
  private static final int BATCH_MAX = 256;

  /** Wakes the thread up when the log is closed. */
  private static final AuditRecord END =
      new AuditRecord(
          Instant.EPOCH,
          AuditRecord.Event.ADMINISTRATION,
          Optional.empty(),
          Optional.empty(),
          "",
          Map.of(),
          0,
          "");

  private final AuditSettings settings;
  private final boolean isOn;
  private final BlockingQueue<AuditRecord> queue;
  private final List<KeyRange> writes;
  private final RequestRate rejections;
  private final AuditOutput output;
  private final Thread thread =
      Thread.ofPlatform().daemon().name("kvorum-audit").unstarted(this::run);
  private final LongAdder droppedByQueue = new LongAdder();
  private final LongAdder droppedByRate = new LongAdder();
  private final LongAdder droppedByOutput = new LongAdder();
  private final LongAdder written = new LongAdder();
  private volatile boolean closing;

  /** Used by the thread alone: whether the log of the node says that lines cannot be written. */
  private boolean isTroubled;

  /** Why a record is not in the log. */
  public enum Dropped {
    /** Others had not been written yet. */
    QUEUE,
    /** Too many requests were rejected in this second. */
    RATE,
    /** It could not be written. */
    OUTPUT;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** This reason in metrics. */
    public String label() {
      return label;
    }
  }

  private AuditLog(
      AuditSettings settings, boolean isOn, AuditOutput output, LongSupplier nanoTime) {
    this.settings = settings;
    this.isOn = isOn;
    this.queue = new ArrayBlockingQueue<>(settings.queueMax());
    this.writes =
        settings.writes().stream().map(prefix -> KeyRange.ofPrefix(Key.of(prefix))).toList();
    this.rejections = new RequestRate(nanoTime);
    this.output = output;
  }

  /** A log that takes nothing. */
  public static AuditLog off(AuditSettings settings) {
    return new AuditLog(settings, false, AuditOutput.standard(), System::nanoTime);
  }

  /**
   * Opens the log.
   *
   * @throws IllegalArgumentException if its file cannot be opened
   */
  public static AuditLog start(AuditSettings settings) {
    try {
      AuditOutput output =
          settings.file().isEmpty()
              ? AuditOutput.standard()
              : new AuditFile(Path.of(settings.file()), settings.fileBytesMax());
      return start(settings, output, System::nanoTime);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "kvorum.audit.file is " + settings.file() + "; it cannot be written: " + e, e);
    }
  }

  static AuditLog start(AuditSettings settings, AuditOutput output, LongSupplier nanoTime) {
    AuditLog started = new AuditLog(settings, true, output, nanoTime);
    started.thread.start();
    return started;
  }

  /** Whether this log takes records. */
  public boolean isOn() {
    return isOn;
  }

  /** Whether writes of a key are to be recorded. */
  public boolean wants(Key key) {
    if (isOn) {
      for (KeyRange prefix : writes) {
        if (prefix.contains(key)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Takes the record of a rejected request, which anyone can cause: so many in a second. */
  public void rejected(AuditRecord rejection) {
    if (isOn && !rejections.take(settings.rejectionsRate())) {
      droppedByRate.increment();
    } else {
      record(rejection);
    }
  }

  /** Takes a record. */
  public void record(AuditRecord next) {
    if (isOn && (closing || !queue.offer(next))) {
      droppedByQueue.increment();
    }
  }

  /** Records that were written. */
  public long written() {
    return written.sum();
  }

  /** Records that were not. */
  public long dropped(Dropped reason) {
    return switch (reason) {
      case QUEUE -> droppedByQueue.sum();
      case RATE -> droppedByRate.sum();
      case OUTPUT -> droppedByOutput.sum();
    };
  }

  private void run() {
    writeAll();
    try {
      output.close();
    } catch (IOException e) {
      log.warn("The audit log cannot be closed", e);
    }
  }

  private void writeAll() {
    List<AuditRecord> batch = new ArrayList<>();
    while (!closing || !queue.isEmpty()) {
      batch.clear();
      try {
        batch.add(queue.take());
        queue.drainTo(batch, BATCH_MAX - 1);
        batch.remove(END);
        output.write(lines(batch));
        written.add(batch.size());
        isTroubled = false;
      } catch (InterruptedException e) {
        return;
      } catch (IOException e) {
        cannotWrite(batch.size(), e);
      } catch (RuntimeException | Error e) {
        cannotWrite(batch.size(), e);
      }
    }
  }

  private static byte[] lines(List<AuditRecord> records) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    records.forEach(it -> lines.writeBytes(it.line()));
    return lines.toByteArray();
  }

  private void cannotWrite(int records, Throwable failure) {
    droppedByOutput.add(records);
    if (!isTroubled) {
      log.error("The audit log cannot be written, records are dropped", failure);
    }
    isTroubled = true;
  }

  /** Writes what is in the queue, for a second at most. */
  @Override
  public void close() {
    if (!isOn) {
      return;
    }
    closing = true;
    // A full queue wakes the thread up as well.
    boolean ignored = queue.offer(END);
    try {
      if (!thread.join(CLOSE_MAX)) {
        log.warn("{} records of the audit log were not written in time", queue.size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
