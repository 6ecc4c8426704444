package dev.kvorum.storage.engine;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The versions of stored records by key, in a fixed amount of native memory: a read of a version
 * then needs neither the database nor, for a large record, its value. A key that is not in it may
 * still be stored.
 *
 * <p>A read must not return an older version than one before it, and a write's reply must not
 * precede its version. The writer therefore {@linkplain #change withholds} a key before its batch
 * is written, and {@linkplain #release releases} it with the new version before the replies.
 * Between the two, readers find nothing and add nothing; a reader adds what it read only if nothing
 * in the key's bucket has changed since it looked. {@code docs/adr/0041} has the argument.
 *
 * <p>A bucket is one cache line with three slots:
 *
 * <pre>
 *  0  state: two bits of lock, 30 of a count of changes
 *  4  writers of the three versions
 * 16  tags of their keys, 0 if a slot is empty
 * 40  stamps of the versions
 * </pre>
 *
 * <p>Bucket and tag are two hashes of the key with secret random parameters, so that clients cannot
 * choose keys that collide. A lookup meets the tag of another key with a probability below 2^-48,
 * for keys of up to 1024 bytes (Peters, PolymurHash, 2023).
 *
 * <p>Readers may be any threads; {@link #change} and {@link #release} belong to the writer thread.
 */
final class VersionCache implements AutoCloseable {
  private static final int BUCKET_BYTES = 64;
  private static final int SLOTS = 3;
  private static final int WRITERS_AT = 4;
  private static final int TAGS_AT = 16;
  private static final int STAMPS_AT = 40;

  private static final int READER = 1;
  private static final int WRITER = 2;
  private static final int LOCKED = READER | WRITER;
  private static final int CHANGE = 4;

  private static final int SPINS = 64;
  private static final long PAUSE_NANOS = 1000;
  private static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();

  private final long buckets;
  private final MemorySegment memory;
  private final Hasher64 bucketHash;
  private final Hasher64 tagHash;
  private final Runnable free;
  private final List<Changed> changed = new ArrayList<>();

  /** A record that a batch changes: its new version, or null if it is removed. */
  private record Changed(long bucket, long tag, @Nullable Version version) {}

  private VersionCache(MemorySegment memory, RandomGenerator random, Runnable free) {
    this.buckets = memory.byteSize() / BUCKET_BYTES;
    this.memory = memory;
    this.bucketHash = hash(random);
    this.tagHash = hash(random);
    this.free = free;
  }

  /**
   * An empty cache in native memory, until it is closed.
   *
   * @param bytes its size, rounded down to buckets of 64 bytes; with less than one it stays empty
   * @param random gives the hashes' parameters
   */
  static VersionCache inNativeMemory(long bytes, RandomGenerator random) {
    Arena arena = Arena.ofShared();
    long whole = bytes / BUCKET_BYTES * BUCKET_BYTES;
    return new VersionCache(arena.allocate(whole, BUCKET_BYTES), random, arena::close);
  }

  /** The same on the heap, for stores that end without being closed. */
  static VersionCache onHeap(int bytes, RandomGenerator random) {
    return new VersionCache(MemorySegment.ofArray(new long[bytes / Long.BYTES]), random, () -> {});
  }

  private static Hasher64 hash(RandomGenerator random) {
    return Hashing.polymurHash2_0(random.nextLong(), random.nextLong(), random.nextLong());
  }

  /** Looks keys up, one at a time; confined to one thread. */
  final class Lookup {
    private long bucket;
    private long tag;
    private int state = LOCKED;

    /** The version of a key's record; null if it is not known. */
    @Nullable Version find(Key key) {
      if (buckets == 0) {
        return null;
      }
      bucket = bucketOf(key);
      tag = tagOf(key);
      state = state(bucket);
      int slot = isLocked(state) ? -1 : slotOf(bucket, tag);
      if (slot < 0) {
        return null;
      }
      long stamp = (long) LONGS.getOpaque(memory, stampAt(bucket, slot));
      int writer = (int) INTS.getOpaque(memory, writerAt(bucket, slot));
      // The slot was read as a whole if nothing has changed meanwhile.
      VarHandle.loadLoadFence();
      return state(bucket) == state ? new Version(stamp, writer) : null;
    }

    /**
     * Adds what the store has shown, since {@link #find} was called last, as the version of that
     * key.
     */
    void add(Version version) {
      if (!isLocked(state) && INTS.compareAndSet(memory, bucket, state, state | READER)) {
        VarHandle.storeStoreFence();
        set(bucket, tag, version);
        INTS.setRelease(memory, bucket, state + CHANGE);
      }
      state = LOCKED;
    }
  }

  /** Withholds a key from readers until {@link #release}; before its change is written. */
  void change(Key key, @Nullable Version version) {
    if (buckets > 0) {
      long bucket = bucketOf(key);
      lock(bucket);
      changed.add(new Changed(bucket, tagOf(key), version));
    }
  }

  /** Waits for a reader at most, which holds a bucket for nanoseconds unless it is preempted. */
  private void lock(long bucket) {
    for (int spins = 0; ; spins++) {
      int state = state(bucket);
      if ((state & WRITER) != 0) {
        return;
      }
      if (!isLocked(state) && INTS.compareAndSet(memory, bucket, state, state | WRITER)) {
        return;
      }
      if (spins < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /**
   * Releases all withheld keys: with their new versions, or, if what the store has is not certain,
   * without any.
   */
  void release(boolean stored) {
    VarHandle.storeStoreFence();
    for (Changed one : changed) {
      set(one.bucket, one.tag, stored ? one.version : null);
    }
    for (Changed one : changed) {
      int state = state(one.bucket);
      if (isLocked(state)) {
        INTS.setRelease(memory, one.bucket, (state & ~LOCKED) + CHANGE);
      }
    }
    changed.clear();
  }

  /** Sets or removes a version in a locked bucket. */
  private void set(long bucket, long tag, @Nullable Version version) {
    int slot = slotOf(bucket, tag);
    if (version == null) {
      if (slot >= 0) {
        LONGS.setOpaque(memory, tagAt(bucket, slot), 0L);
      }
      return;
    }
    int chosen = slot >= 0 ? slot : slotOf(bucket, 0);
    if (chosen < 0) {
      chosen = Integer.remainderUnsigned(state(bucket) >>> 2, SLOTS);
    }
    LONGS.setOpaque(memory, tagAt(bucket, chosen), tag);
    LONGS.setOpaque(memory, stampAt(bucket, chosen), version.stamp());
    INTS.setOpaque(memory, writerAt(bucket, chosen), version.writer());
  }

  private int slotOf(long bucket, long tag) {
    for (int slot = 0; slot < SLOTS; slot++) {
      if ((long) LONGS.getOpaque(memory, tagAt(bucket, slot)) == tag) {
        return slot;
      }
    }
    return -1;
  }

  private static long tagAt(long bucket, int slot) {
    return bucket + TAGS_AT + (long) Long.BYTES * slot;
  }

  private static long stampAt(long bucket, int slot) {
    return bucket + STAMPS_AT + (long) Long.BYTES * slot;
  }

  private static long writerAt(long bucket, int slot) {
    return bucket + WRITERS_AT + (long) Integer.BYTES * slot;
  }

  private int state(long bucket) {
    return (int) INTS.getAcquire(memory, bucket);
  }

  private static boolean isLocked(int state) {
    return (state & LOCKED) != 0;
  }

  private long bucketOf(Key key) {
    long hash = bucketHash.hashBytesToLong(key.bytes());
    return Math.unsignedMultiplyHigh(hash, buckets) * BUCKET_BYTES;
  }

  private long tagOf(Key key) {
    long tag = tagHash.hashBytesToLong(key.bytes());
    return tag == 0 ? 1 : tag;
  }

  /** Frees the memory; no thread may use it any longer. */
  @Override
  public void close() {
    free.run();
  }
}
