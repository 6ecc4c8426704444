package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
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

/** Reads pages of records in key order. */
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
  ScanResult page(KeyRange range, Detail detail, ScanLimits limits) {
    long ticket = gate.enter();
    if (ticket == 0) {
      return new ScanResult.Unknown(RejectReason.STORAGE_FAILED);
    }
    byte[] end = range.end().isPresent() ? range.end().get().bytes() : null;
    try (Engine.Cursor at = engine.cursor(Engine.Family.RECORDS, end)) {
      seek(at, range);
      return collect(at, detail, limits);
    } catch (EngineException | CorruptRecordException e) {
      failures.note("cannot scan records", e);
      return new ScanResult.Unknown(RejectReason.STORAGE_FAILED);
    } finally {
      gate.leave(ticket);
    }
  }

  private static void seek(Engine.Cursor at, KeyRange range) {
    if (range.start().isEmpty()) {
      at.seekToFirst();
      return;
    }
    byte[] start = range.start().get().bytes();
    at.seek(start);
    if (!range.startIncluded() && at.isValid() && Arrays.equals(at.key(), start)) {
      at.next();
    }
  }

  private ScanResult collect(Engine.Cursor at, Detail detail, ScanLimits limits)
      throws EngineException, CorruptRecordException {
    byte[] stored = new byte[FIRST_CAPACITY];
    List<Mutation> found = new ArrayList<>();
    List<Key> mismatched = new ArrayList<>();
    Optional<Key> last = Optional.empty();
    long bytes = 0;
    for (; at.isValid(); at.next()) {
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

  private static Key keyOf(byte[] stored) throws CorruptRecordException {
    try {
      return Key.ofBytes(stored);
    } catch (IllegalArgumentException e) {
      throw new CorruptRecordException(String.valueOf(e.getMessage()));
    }
  }
}
