package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Refusal;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.KeyMayExist;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Reads of single records, from memory alone or from the disk.
 *
 * <p>From memory, {@code keyMayExist} is asked and not {@code get}: for a block that is not cached
 * it says so in 3 µs where {@code get} throws, which costs 8 to 25 µs. But its "no" may be an error
 * as well, so an absence is confirmed by a {@code get} that would throw (1 µs, by the filters).
 */
final class RecordReads implements AutoCloseable {
  static final Lookup FAILED = new Lookup.Unknown(Refusal.STORAGE_FAILED);

  /** Records up to this size are read with one copy and no garbage but the value itself. */
  private static final int BUFFER_BYTES = 8192;

  private final RocksDB db;
  private final ColumnFamilyHandle records;
  private final Gate gate;
  private final FailureLog failures;
  private final ChecksumVerifier verifier;
  private final ReadOptions memoryOnly =
      new ReadOptions().setReadTier(ReadTier.BLOCK_CACHE_TIER).setVerifyChecksums(true);
  private final ReadOptions anywhere = new ReadOptions().setVerifyChecksums(true);
  private final ThreadLocal<Buffers> buffers = ThreadLocal.withInitial(Buffers::new);

  private static final class Buffers {
    final ByteBuffer key = ByteBuffer.allocateDirect(Key.BYTES_MAX);
    final ByteBuffer value = ByteBuffer.allocateDirect(BUFFER_BYTES);
    final byte[] header = new byte[RecordCodec.HEADER_BYTES];
  }

  RecordReads(RocksDatabase database, Gate gate, FailureLog failures, ChecksumVerifier verifier) {
    this.db = database.db();
    this.records = database.records();
    this.gate = gate;
    this.failures = failures;
    this.verifier = verifier;
  }

  /** What memory knows about a key; null when the disk has to be asked. Never waits for I/O. */
  @Nullable Lookup fromMemory(Key key, Store.Detail detail) {
    long ticket = gate.enter();
    if (ticket == 0) {
      return FAILED;
    }
    try {
      return lookUpInMemory(key, detail);
    } catch (RocksDBException e) {
      return isIncomplete(e) ? null : failed(e);
    } catch (ChecksumMismatchException e) {
      return mismatched(key, e);
    } catch (CorruptRecordException e) {
      return failed(e);
    } finally {
      gate.leave(ticket);
    }
  }

  /** What is stored under a key. Blocks as long as the disk does. */
  Lookup fromDisk(Key key, Store.Detail detail) {
    long ticket = gate.enter();
    if (ticket == 0) {
      return FAILED;
    }
    try {
      return switch (detail) {
        case RECORD -> wholeRecord(key, anywhere);
        case VERSION -> versionAlone(key, anywhere);
      };
    } catch (ChecksumMismatchException e) {
      return mismatched(key, e);
    } catch (RocksDBException | CorruptRecordException e) {
      return failed(e);
    } finally {
      gate.leave(ticket);
    }
  }

  private @Nullable Lookup lookUpInMemory(Key key, Store.Detail detail)
      throws RocksDBException, CorruptRecordException {
    Buffers mine = buffers.get();
    mine.key.clear().put(key.bytes()).flip();
    int wanted =
        switch (detail) {
          case RECORD -> BUFFER_BYTES;
          case VERSION -> RecordCodec.HEADER_BYTES;
        };
    mine.value.clear().limit(wanted);
    KeyMayExist held = db.keyMayExist(records, memoryOnly, mine.key, mine.value);
    return switch (held.exists) {
      // With an index block that is not cached it claims to have found a value of no bytes.
      case kExistsWithValue ->
          held.valueLength < RecordCodec.HEADER_BYTES_MIN
              ? null
              : found(key, detail, mine.value, held.valueLength);
      case kExistsWithoutValue -> null;
      case kNotExist ->
          versionAlone(key, memoryOnly) instanceof Lookup.Absent absent ? absent : null;
    };
  }

  private Lookup found(Key key, Store.Detail detail, ByteBuffer value, int length)
      throws RocksDBException, CorruptRecordException {
    return switch (detail) {
      case VERSION -> new Lookup.FoundVersion(RecordCodec.version(value, length));
      case RECORD ->
          length > BUFFER_BYTES
              ? wholeRecord(key, memoryOnly)
              : new Lookup.Found(RecordCodec.decode(key, value.clear().limit(length)));
    };
  }

  private Lookup wholeRecord(Key key, ReadOptions options)
      throws RocksDBException, CorruptRecordException {
    byte[] stored = db.get(records, options, key.bytes());
    return stored == null
        ? absent()
        : new Lookup.Found(RecordCodec.decode(key, ByteBuffer.wrap(stored)));
  }

  private Lookup versionAlone(Key key, ReadOptions options)
      throws RocksDBException, CorruptRecordException {
    byte[] header = buffers.get().header;
    byte[] bytes = key.bytes();
    int length = db.get(records, options, bytes, 0, bytes.length, header, 0, header.length);
    return length == RocksDB.NOT_FOUND
        ? absent()
        : new Lookup.FoundVersion(RecordCodec.version(ByteBuffer.wrap(header), length));
  }

  private static Lookup absent() {
    return Lookup.Absent.ABSENT;
  }

  private static boolean isIncomplete(RocksDBException e) {
    return e.getStatus() != null && e.getStatus().getCode() == Status.Code.Incomplete;
  }

  /** No damage of the store: its other records are what was stored. */
  private Lookup mismatched(Key key, ChecksumMismatchException e) {
    verifier.mismatched(ChecksumVerifier.Place.STORE, key, e.version());
    return new Lookup.Unknown(verifier.refusal(key));
  }

  private Lookup failed(Exception e) {
    failures.note("cannot read a record", e);
    return FAILED;
  }

  /** Only behind a closed gate. */
  @Override
  public void close() {
    memoryOnly.close();
    anywhere.close();
  }
}
