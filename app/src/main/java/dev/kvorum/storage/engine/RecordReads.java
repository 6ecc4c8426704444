package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Reads single records, from memory only or from disk. */
final class RecordReads {
  static final ReadResult FAILED = new ReadResult.Unknown(RejectReason.STORAGE_FAILED);

  /** Records up to this size in bytes are read with one copy and no garbage except the value. */
  private static final int BUFFER_BYTES = 8192;

  private final Engine engine;
  private final Gate gate;
  private final FailureLog failures;
  private final ChecksumVerifier verifier;
  private final LongAdder memoryReads = new LongAdder();
  private final LongAdder diskReads = new LongAdder();
  private final LongAdder versionHits = new LongAdder();
  private final LongAdder versionMisses = new LongAdder();
  private final ThreadLocal<Buffers> buffers;

  private static final class Buffers {
    final ByteBuffer value = ByteBuffer.allocateDirect(BUFFER_BYTES);
    final byte[] header = new byte[RecordCodec.HEADER_BYTES];
    final VersionCache.Lookup versions;

    Buffers(VersionCache cache) {
      this.versions = cache.new Lookup();
    }
  }

  RecordReads(
      Engine engine,
      VersionCache versions,
      Gate gate,
      FailureLog failures,
      ChecksumVerifier verifier) {
    this.engine = engine;
    this.buffers = ThreadLocal.withInitial(() -> new Buffers(versions));
    this.gate = gate;
    this.failures = failures;
    this.verifier = verifier;
  }

  /** Number of reads served from memory. */
  long memoryReads() {
    return memoryReads.sum();
  }

  /** Number of reads that needed the disk. */
  long diskReads() {
    return diskReads.sum();
  }

  /** Number of versions found in the version cache. */
  long versionHits() {
    return versionHits.sum();
  }

  /** Number of versions looked up in the engine. */
  long versionMisses() {
    return versionMisses.sum();
  }

  /** Reads from memory; returns null if the disk has to be read. Never waits for I/O. */
  @Nullable ReadResult fromMemory(Key key, Store.Detail detail) {
    ReadResult known = guardedFromMemory(key, detail);
    (known == null ? diskReads : memoryReads).increment();
    return known;
  }

  private @Nullable ReadResult guardedFromMemory(Key key, Store.Detail detail) {
    long ticket = gate.enter();
    if (ticket == 0) {
      return FAILED;
    }
    try {
      return lookUpInMemory(key, detail);
    } catch (ChecksumMismatchException e) {
      return mismatched(key, e);
    } catch (EngineException | CorruptRecordException e) {
      return failed(e);
    } finally {
      gate.leave(ticket);
    }
  }

  /** Reads a record. Blocks as long as the disk does. */
  ReadResult fromDisk(Key key, Store.Detail detail) {
    long ticket = gate.enter();
    if (ticket == 0) {
      return FAILED;
    }
    try {
      return switch (detail) {
        case RECORD -> wholeRecord(key);
        case VERSION -> versionAlone(key);
      };
    } catch (ChecksumMismatchException e) {
      return mismatched(key, e);
    } catch (EngineException | CorruptRecordException e) {
      return failed(e);
    } finally {
      gate.leave(ticket);
    }
  }

  private @Nullable ReadResult lookUpInMemory(Key key, Store.Detail detail)
      throws EngineException, CorruptRecordException {
    return switch (detail) {
      case RECORD -> recordInMemory(key);
      case VERSION -> versionInMemory(key);
    };
  }

  private @Nullable ReadResult recordInMemory(Key key)
      throws EngineException, CorruptRecordException {
    ByteBuffer value = buffers.get().value;
    int length = engine.getInMemory(key.bytes(), value.clear());
    if (length == Engine.NOT_FOUND) {
      return absent();
    }
    if (isUnknown(length)) {
      return null;
    }
    return length > BUFFER_BYTES
        ? largeInMemory(key)
        : new ReadResult.Found(RecordCodec.decode(key, value.clear().limit(length)));
  }

  private @Nullable ReadResult versionInMemory(Key key)
      throws EngineException, CorruptRecordException {
    Buffers own = buffers.get();
    ReadResult cached = cached(key, own);
    (cached == null ? versionMisses : versionHits).increment();
    if (cached != null) {
      return cached;
    }
    ByteBuffer header = own.value.clear().limit(RecordCodec.HEADER_BYTES);
    int length = engine.getInMemory(key.bytes(), header);
    if (length == Engine.NOT_FOUND) {
      return absent();
    }
    return isUnknown(length) ? null : found(RecordCodec.version(header, length), own);
  }

  /** Bytes too short for a record are examined by the read from disk. */
  private static boolean isUnknown(int length) {
    return length < RecordCodec.HEADER_BYTES_MIN;
  }

  private static @Nullable ReadResult cached(Key key, Buffers own) {
    Version version = own.versions.find(key);
    return version == null ? null : new ReadResult.FoundVersion(version);
  }

  private static ReadResult found(Version version, Buffers own) {
    own.versions.add(version);
    return new ReadResult.FoundVersion(version);
  }

  private @Nullable ReadResult largeInMemory(Key key)
      throws EngineException, CorruptRecordException {
    byte[] stored = engine.getInMemory(key.bytes());
    return stored == null
        ? null
        : new ReadResult.Found(RecordCodec.decode(key, ByteBuffer.wrap(stored)));
  }

  private ReadResult wholeRecord(Key key) throws EngineException, CorruptRecordException {
    byte[] stored = engine.get(Engine.Family.RECORDS, key.bytes());
    return stored == null
        ? absent()
        : new ReadResult.Found(RecordCodec.decode(key, ByteBuffer.wrap(stored)));
  }

  private ReadResult versionAlone(Key key) throws EngineException, CorruptRecordException {
    Buffers own = buffers.get();
    // Again: a version is added only if nothing has changed since this thread looked.
    ReadResult cached = cached(key, own);
    if (cached != null) {
      return cached;
    }
    int length = engine.get(Engine.Family.RECORDS, key.bytes(), own.header);
    return length == Engine.NOT_FOUND
        ? absent()
        : found(RecordCodec.version(ByteBuffer.wrap(own.header), length), own);
  }

  private static ReadResult absent() {
    return ReadResult.Absent.ABSENT;
  }

  /** No corruption of the store: its other records are as stored. */
  private ReadResult mismatched(Key key, ChecksumMismatchException e) {
    verifier.mismatched(ChecksumVerifier.Place.STORE, key, e.version());
    return new ReadResult.Unknown(verifier.rejection(key));
  }

  private ReadResult failed(Exception e) {
    failures.note("cannot read a record", e);
    return FAILED;
  }
}
