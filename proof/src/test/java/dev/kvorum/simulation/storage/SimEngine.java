package dev.kvorum.simulation.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.RecordKind;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.engine.Engine;
import dev.kvorum.storage.engine.EngineBatch;
import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.storage.engine.EngineStats;
import dev.kvorum.storage.engine.MetaNumber;
import dev.kvorum.storage.engine.RecordCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A key-value database on a simulated disk, with the disk's faults. */
final class SimEngine implements Engine {
  /** The key of no record: a read of it meets corruption that no record is hit by. */
  static final Key PROBE = Key.of("a corrupted block");

  private final SimDisk disk;
  private final RandomGenerator random;
  private final List<Batch> batches = new ArrayList<>();
  private boolean isStopped;

  SimEngine(SimDisk disk, RandomGenerator random) {
    this.disk = disk;
    this.random = random;
    disk.replayFailed(random);
  }

  /** The process dies: what was being written may be there or not. */
  void die() {
    for (Batch batch : batches) {
      if (!batch.effects.isEmpty() && random.nextBoolean()) {
        disk.write(List.copyOf(batch.effects), false);
      }
    }
  }

  @Override
  public byte @Nullable [] get(Family family, byte[] key) throws EngineException {
    return switch (family) {
      case RECORDS -> record(Key.ofBytes(key));
      case HINTS -> disk.written().hints.get(key);
      case META -> {
        Long number = disk.written().meta.get(new String(key, StandardCharsets.UTF_8));
        yield number == null ? null : MetaNumber.encode(number);
      }
    };
  }

  private byte @Nullable [] record(Key key) throws EngineException {
    checkReadable(key);
    Versioned record = disk.written().records.get(key);
    return record == null ? null : RecordCodec.encode(record);
  }

  private void checkReadable(Key key) throws EngineException {
    if (disk.damaged.contains(key)) {
      throw failure("cannot read " + key, EngineException.Kind.OTHER);
    }
    CorruptedImage.Corruption known = disk.corruption;
    if (known != null && (key.equals(PROBE) || known.keys().contains(key))) {
      throw corruption(key.toString());
    }
  }

  static EngineException corruption(String where) {
    return failure("corrupted: " + where, EngineException.Kind.CORRUPTION);
  }

  private static EngineException failure(String what, EngineException.Kind kind) {
    return new EngineException(what, kind, new IOException(what));
  }

  @Override
  public int get(Family family, byte[] key, byte[] into) throws EngineException {
    byte[] stored = get(family, key);
    return stored == null ? NOT_FOUND : copied(stored, into);
  }

  static int copied(byte[] stored, byte[] into) {
    System.arraycopy(stored, 0, into, 0, Math.min(stored.length, into.length));
    return stored.length;
  }

  @Override
  public int getInMemory(byte[] key, ByteBuffer into) throws EngineException {
    if (disk.slowMillis > 0 || random.nextInt(3) == 0) {
      return NOT_IN_MEMORY;
    }
    byte[] stored = get(Family.RECORDS, key);
    if (stored == null) {
      return NOT_FOUND;
    }
    into.put(0, stored, 0, Math.min(stored.length, into.limit()));
    return stored.length;
  }

  @Override
  public byte @Nullable [] getInMemory(byte[] key) throws EngineException {
    return get(Family.RECORDS, key);
  }

  @Override
  public Cursor cursor(Family family, byte @Nullable [] start, byte @Nullable [] end) {
    NavigableMap<byte[], byte[]> held = new TreeMap<>(Arrays::compareUnsigned);
    DiskImage written = disk.written();
    switch (family) {
      case RECORDS ->
          written.records.forEach(
              (key, record) -> held.put(key.bytes(), RecordCodec.encode(record)));
      case HINTS -> held.putAll(written.hints);
      case META ->
          written.meta.forEach((name, number) ->
              held.put(name.getBytes(StandardCharsets.UTF_8), MetaNumber.encode(number)));
    }
    boolean areRecords = family == Family.RECORDS;
    if (start != null) {
      held.headMap(start, false).clear();
    }
    if (end != null) {
      held.tailMap(end, true).clear();
    }
    return new SimCursor(held, areRecords ? key -> checkReadable(Key.ofBytes(key)) : key -> {});
  }

  @Override
  public EngineBatch batch() {
    batches.add(new Batch());
    return batches.getLast();
  }

  @Override
  public void syncLog() {
    disk.sync();
  }

  @Override
  public long sequence() {
    return 0;
  }

  @Override
  public void recordSynced(long sequence) {}

  @Override
  public void persistSynced() {}

  @Override
  public void flush() {}

  @Override
  public long recordsEstimated() {
    return disk.written().records.size();
  }

  @Override
  public void compactRecords(boolean all) {}

  @Override
  public void deleteReplacedFiles() {}

  @Override
  public void collectBlobs(double oldest, boolean isForced) {}

  @Override
  public void checkpoint(Path directory) {
    disk.written().checkpoints.put(directory, disk.written().checkpoint());
  }

  @Override
  public void cancelCompaction() {}

  @Override
  public long backgroundErrors() {
    return 0;
  }

  @Override
  public EngineStats stats() {
    return EngineStats.NONE;
  }

  @Override
  public void close() {
    batches.clear();
  }

  private final class Batch implements EngineBatch {
    private final List<Effect> effects = new ArrayList<>();

    @Override
    public void put(Family family, byte[] key, byte[] value) {
      effects.add(
          switch (family) {
            case RECORDS -> new Effect.Put(Key.ofBytes(key), decoded(value));
            case HINTS -> new Effect.KeepHint(key, value);
            case META ->
                new Effect.Meta(
                    new String(key, StandardCharsets.UTF_8), ByteBuffer.wrap(value).getLong());
          });
    }

    @Override
    public void delete(Family family, byte[] key) {
      effects.add(
          switch (family) {
            case RECORDS -> new Effect.Remove(Key.ofBytes(key));
            case HINTS -> new Effect.DropHint(key);
            case META -> throw new UnsupportedOperationException("no number is ever deleted");
          });
    }

    @Override
    public int count() {
      return effects.size();
    }

    @Override
    public void writeSynced() throws EngineException {
      write(true);
    }

    @Override
    public void writeUnsynced() throws EngineException {
      write(false);
    }

    private void write(boolean sync) throws EngineException {
      if (isStopped) {
        throw failure("writes have stopped", EngineException.Kind.IO_ERROR);
      }
      if (disk.failingShare > 0 && random.nextDouble() < disk.failingShare) {
        disk.fail(List.copyOf(effects));
        // A sync that failed stops RocksDB until it is opened again.
        isStopped = sync && random.nextBoolean();
        throw failure(
            "cannot write a batch",
            isStopped ? EngineException.Kind.IO_ERROR : EngineException.Kind.OTHER);
      }
      disk.write(List.copyOf(effects), sync);
    }

    @Override
    public void clear() {
      effects.clear();
    }

    @Override
    public void close() {
      batches.remove(this);
    }
  }

  /** The record that these bytes are, whether or not they match its checksum. */
  private static Versioned decoded(byte[] stored) {
    ByteBuffer from = ByteBuffer.wrap(stored);
    from.get();
    RecordKind kind = RecordKind.of(from.get());
    Version version = new Version(from.getLong(), from.getInt());
    long expiry = from.getLong();
    int copies = from.get();
    int checksum = from.getInt();
    byte[] value = new byte[from.remaining()];
    from.get(value);
    return Versioned.received(version, kind, expiry, copies, value, checksum);
  }
}
