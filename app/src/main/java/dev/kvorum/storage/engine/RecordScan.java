package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store.Detail;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads pages of records. */
final class RecordScan {
  private static final int FIRST_CAPACITY = 4096;

  private final Engine engine;
  private final Gate gate;
  private final FailureLog failures;
  private final ChecksumVerifier verifier;

  RecordScan(Engine engine, Gate gate, FailureLog failures, ChecksumVerifier verifier) {
    this.engine = engine;
    this.gate = gate;
    this.failures = failures;
    this.verifier = verifier;
  }

  /** Reads a page. Blocks as long as the disk does. */
  ScanResult page(KeyRange range, KeyOrder order, Detail detail, ScanLimits limits) {
    long ticket = gate.enter();
    if (ticket == 0) {
      return new ScanResult.Unknown(RejectReason.STORAGE_FAILED);
    }
    byte[] end = range.end().isPresent() ? range.end().get().bytes() : null;
    try (Engine.Cursor at = engine.cursor(Engine.Family.RECORDS, start(range), end)) {
      return collect(at, order, detail, limits);
    } catch (EngineException | CorruptRecordException e) {
      failures.note("cannot scan records", e);
      return new ScanResult.Unknown(RejectReason.STORAGE_FAILED);
    } finally {
      gate.leave(ticket);
    }
  }

  /** The least bytes that are in the range. */
  private static byte @Nullable [] start(KeyRange range) {
    if (range.start().isEmpty()) {
      return null;
    }
    byte[] start = range.start().get().bytes();
    return range.startIncluded() ? start : Arrays.copyOf(start, start.length + 1);
  }

  private ScanResult collect(Engine.Cursor at, KeyOrder order, Detail detail, ScanLimits limits)
      throws EngineException, CorruptRecordException {
    byte[] stored = new byte[FIRST_CAPACITY];
    List<Mutation> found = new ArrayList<>();
    List<Key> mismatched = new ArrayList<>();
    Optional<Key> last = Optional.empty();
    long bytes = 0;
    for (first(at, order); at.isValid(); next(at, order)) {
      Key key = keyOf(at.key());
      int length = at.value(stored);
      bytes += key.bytes().length + (long) length;
      int count = found.size() + mismatched.size();
      if (count > 0 && (count >= limits.recordsMax() || bytes > limits.bytesMax())) {
        return new ScanResult.Page(found, last, mismatched);
      }
      if (length > stored.length) {
        stored = new byte[length];
        at.value(stored);
      }
      try {
        Versioned record =
            switch (detail) {
              case VERSION -> RecordCodec.decodeWithoutValue(key, stored, length);
              case RECORD -> RecordCodec.decode(key, ByteBuffer.wrap(stored, 0, length));
            };
        found.add(new Mutation(key, record));
      } catch (ChecksumMismatchException e) {
        verifier.mismatched(ChecksumVerifier.Place.STORE, key, e.version());
        mismatched.add(key);
      }
      last = Optional.of(key);
    }
    // An iterator at a damaged entry is invalid too; this is not the end.
    at.check();
    return new ScanResult.Page(found, Optional.empty(), mismatched);
  }

  private static void first(Engine.Cursor at, KeyOrder order) {
    switch (order) {
      case ASCENDING -> at.seekToFirst();
      case DESCENDING -> at.seekToLast();
    }
  }

  private static void next(Engine.Cursor at, KeyOrder order) {
    switch (order) {
      case ASCENDING -> at.next();
      case DESCENDING -> at.previous();
    }
  }

  private static Key keyOf(byte[] stored) throws CorruptRecordException {
    try {
      return Key.ofBytes(stored);
    } catch (IllegalArgumentException e) {
      throw new CorruptRecordException(String.valueOf(e.getMessage()));
    }
  }
}
