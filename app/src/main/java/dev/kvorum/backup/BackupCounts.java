package dev.kvorum.backup;

import dev.kvorum.backup.BackupException.Reason;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Numbers of a node's parts of backups, since its start. Safe for use by many threads. */
public final class BackupCounts {
  private final LongAdder uploadedBytes = new LongAdder();
  private final LongAdder reusedBytes = new LongAdder();
  private final AtomicLong completedMillis = new AtomicLong();
  private final Map<Reason, LongAdder> failed = new EnumMap<>(Reason.class);

  BackupCounts() {
    for (Reason reason : Reason.values()) {
      failed.put(reason, new LongAdder());
    }
  }

  void done(BackupStatus status) {
    uploadedBytes.add(status.uploadedBytes());
    reusedBytes.add(status.doneBytes() - status.uploadedBytes());
  }

  void failed(Reason reason) {
    counter(reason).increment();
  }

  void completed(Instant time) {
    completedMillis.accumulateAndGet(time.toEpochMilli(), Math::max);
  }

  private LongAdder counter(Reason reason) {
    LongAdder counter = failed.get(reason);
    if (counter == null) {
      throw new IllegalStateException("no counter of " + reason);
    }
    return counter;
  }

  public long uploadedBytes() {
    return uploadedBytes.sum();
  }

  /** Bytes of files that object stores had already. */
  public long reusedBytes() {
    return reusedBytes.sum();
  }

  /** Parts that failed for this reason. */
  public long failures(Reason reason) {
    return counter(reason).sum();
  }

  /** Unix time in seconds at which the last complete backup began; 0 if there was none. */
  public double completedSeconds() {
    return completedMillis.get() / 1e3;
  }
}
