package dev.kvorum.storage.engine;

import dev.kvorum.topology.MemberId;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counts hints and their bytes by target, including those not yet on disk. */
final class HintLedger {
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();
  private final Map<MemberId, Long> counts = new ConcurrentHashMap<>();

  HintLedger(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Adds a hint; returns false, without adding it, if it exceeds the bound. */
  boolean reserve(MemberId target, long hintBytes) {
    if (bytes.addAndGet(hintBytes) > bytesMax) {
      bytes.addAndGet(-hintBytes);
      return false;
    }
    counts.merge(target, 1L, Long::sum);
    return true;
  }

  /** Adds a hint that is on disk already, regardless of the bound. */
  void recount(MemberId target, long hintBytes) {
    bytes.addAndGet(hintBytes);
    counts.merge(target, 1L, Long::sum);
  }

  /** Removes a hint. */
  void release(MemberId target, long hintBytes) {
    bytes.addAndGet(-hintBytes);
    counts.computeIfPresent(target, (t, count) -> count == 1 ? null : count - 1);
  }

  long bytes() {
    return bytes.get();
  }

  long count(MemberId target) {
    return counts.getOrDefault(target, 0L);
  }

  /** Members with hints, in the order of their names. */
  Set<MemberId> targets() {
    return new TreeSet<>(counts.keySet());
  }
}
