package dev.kvorum.storage.rocks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The RocksDB sequence number up to which the write-ahead log has been synced, in the file {@code
 * SYNCED} beside the log. Recovery compares it with the readable part of the log (ADR 0016).
 *
 * <p>The file is written after every sync and before the replies that wait for the sync, so it
 * survives {@code kill -9} exactly. Only {@link #persist} syncs the file itself. After a power loss
 * it may be older than the log: it is a lower bound and never wrong. Two slots in separate disk
 * blocks are written in turn, so that a torn write damages only one of them.
 */
final class SyncedSequence implements AutoCloseable {
  static final String FILE = "SYNCED";

  private static final int SLOT_STRIDE = 4096;
  private static final int SLOTS = 2;
  private static final long MAGIC = 0x4b564f52554d5359L;
  private static final int CHECKED_BYTES = 2 * Long.BYTES;
  private static final int SLOT_BYTES = CHECKED_BYTES + Integer.BYTES;

  private final FileChannel channel;
  private final ByteBuffer slot = ByteBuffer.allocateDirect(SLOT_BYTES);
  private final CRC32C checksum = new CRC32C();
  private long sequence;
  private int next;
  private boolean changed;

  private SyncedSequence(FileChannel channel, long sequence) {
    this.channel = channel;
    this.sequence = sequence;
  }

  /** Opens or creates the file, durably. Blocks. */
  static SyncedSequence open(Path directory) throws IOException {
    long sequence = newest(directory);
    FileChannel channel =
        FileChannel.open(
            directory.resolve(FILE),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    if (channel.size() < (long) SLOTS * SLOT_STRIDE) {
      // Allocates the full size, so that later syncs need not commit a new length.
      channel.write(ByteBuffer.allocate(SLOTS * SLOT_STRIDE), 0);
      channel.force(true);
      try (FileChannel entries = FileChannel.open(directory)) {
        entries.force(true);
      }
    }
    return new SyncedSequence(channel, sequence);
  }

  /** The newest readable number in a directory's file; 0 if there is none. */
  static long newest(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      return 0;
    }
    long newest = 0;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      for (int i = 0; i < SLOTS; i++) {
        ByteBuffer read = ByteBuffer.allocate(SLOT_BYTES);
        if (channel.read(read, (long) i * SLOT_STRIDE) == SLOT_BYTES
            && read.flip().getLong() == MAGIC
            && read.getInt(CHECKED_BYTES) == checksumOf(new CRC32C(), read)) {
          newest = Math.max(newest, read.getLong(Long.BYTES));
        }
      }
    }
    return newest;
  }

  private static int checksumOf(CRC32C checksum, ByteBuffer slot) {
    checksum.reset();
    checksum.update(slot.duplicate().position(0).limit(CHECKED_BYTES));
    return (int) checksum.getValue();
  }

  synchronized long get() {
    return sequence;
  }

  /** Records that the log is synced up to this number; smaller numbers than before are ignored. */
  synchronized void record(long synced) throws IOException {
    if (synced <= sequence) {
      return;
    }
    slot.clear().putLong(MAGIC).putLong(synced).putInt(checksumOf(checksum, slot)).flip();
    channel.write(slot, (long) next * SLOT_STRIDE);
    sequence = synced;
    next = (next + 1) % SLOTS;
    changed = true;
  }

  /** Syncs the file if it has changed. Blocks. */
  void persist() throws IOException {
    synchronized (this) {
      if (!changed) {
        return;
      }
      changed = false;
    }
    // Outside the lock: the writer thread must not wait for this sync.
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    persist();
    channel.close();
  }
}
