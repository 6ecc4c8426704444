package dev.kvorum.storage.salvage;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractRocksIterator;
import org.rocksdb.RocksDBException;

/**
 * Iterates over the keys of a sorted table around unreadable parts. RocksDB's iterator ends at a
 * corrupted block and does not report where the next one starts. The scan finds it by seeks to ever
 * more distant keys, and then by a binary search between the last failed and the first successful
 * seek. It misses a readable part between two corrupted ones only if that part is shorter than the
 * distance to it. Each seek uses a new iterator: one that has read a corrupted block may report the
 * next block as corrupted too.
 *
 * <p>Where the keys around an unreadable value are known, the seeks go to these keys first.
 */
final class SalvageScan<I extends AbstractRocksIterator<?>> implements AutoCloseable {
  /** Largest number of seeks for one unreadable part; keys of 1 KiB need the most. */
  private static final int SEEKS_MAX = 20_000;

  private static final int PRECISION_BYTES = 8;

  /** Largest number of known keys in one unreadable part before it is searched by distance. */
  private static final int KNOWN_KEYS_MAX = 64;

  private final Supplier<I> iterators;
  private final Function<I, byte[]> keys;
  private final KnownKeys known;
  private final byte @Nullable [] start;
  private final byte @Nullable [] end;
  private I at;
  private byte @Nullable [] last;
  private byte @Nullable [] gapStart;
  private boolean isBehindGap;
  private boolean begun;
  private boolean over;

  /**
   * Creates a scan that has not started.
   *
   * @param iterators creates iterators over the same table
   * @param keys returns an iterator's current key
   * @param known the keys that may have unreadable values
   * @param start the first key of the scan; null: the table's first key
   * @param end the first key behind the scan; null: no end
   */
  SalvageScan(
      Supplier<I> iterators,
      Function<I, byte[]> keys,
      KnownKeys known,
      byte @Nullable [] start,
      byte @Nullable [] end) {
    this.iterators = iterators;
    this.keys = keys;
    this.known = known;
    this.at = iterators.get();
    this.start = start;
    this.end = end;
  }

  /** The keys of a table, as far as they can be read without their values. */
  interface KnownKeys {
    KnownKeys NONE = from -> null;

    /** The first key from one on; null if it is unknown, or if there is none. */
    byte @Nullable [] firstFrom(byte[] key);
  }

  /**
   * Moves to the next readable key; null at the end. {@link #isBehindGap} is set if keys before it
   * may be missing.
   */
  byte @Nullable [] next() {
    isBehindGap = false;
    if (over) {
      return null;
    }
    if (begun) {
      at.next();
    } else if (start == null) {
      at.seekToFirst();
    } else {
      at.seek(start);
    }
    begun = true;
    if (!at.isValid() && isCorrupted()) {
      isBehindGap = true;
      gapStart = last == null ? start : last;
      over = !findReadableBehind(gapStart == null ? new byte[0] : gapStart);
    }
    over |= !at.isValid() || isBehindEnd(keys.apply(at));
    last = over ? null : keys.apply(at);
    return last;
  }

  /**
   * Returns whether keys between {@link #gapStart} and the current key, or the end, are unreadable.
   */
  boolean isBehindGap() {
    return isBehindGap;
  }

  /** The last key before the gap; null if it starts at the first key. */
  byte @Nullable [] gapStart() {
    return gapStart;
  }

  /** The iterator at the current key. */
  I at() {
    return at;
  }

  private boolean isCorrupted() {
    try {
      at.status();
      return false;
    } catch (RocksDBException e) {
      return true;
    }
  }

  private boolean isBehindEnd(byte[] key) {
    return end != null && Arrays.compareUnsigned(key, end) >= 0;
  }

  private boolean findReadableBehind(byte[] from) {
    byte[] next = last == null ? from : SalvageTable.next(from);
    for (int i = 0; i < KNOWN_KEYS_MAX; i++) {
      byte[] key = known.firstFrom(next);
      if (key == null) {
        break;
      }
      next = SalvageTable.next(key);
      if (seek(next)) {
        return at.isValid();
      }
    }
    return searchBehind(next);
  }

  private boolean searchBehind(byte[] from) {
    int bytes = Math.max(from.length, end == null ? 0 : end.length) + PRECISION_BYTES;
    BigInteger unreadable = number(from, bytes);
    BigInteger limit =
        end == null
            ? BigInteger.ONE.shiftLeft(8 * bytes).subtract(BigInteger.ONE)
            : number(end, bytes);
    BigInteger distance = limit.subtract(unreadable);
    int seeks = 0;
    for (int shift = distance.bitLength() - 1; shift >= 0 && seeks < SEEKS_MAX; shift--) {
      BigInteger probe = number(from, bytes).add(distance.shiftRight(shift));
      seeks++;
      if (seek(probe, bytes)) {
        return narrow(unreadable, probe, bytes);
      }
      unreadable = probe;
    }
    return false;
  }

  /** Finds the first readable key between a failed and a successful seek. */
  private boolean narrow(BigInteger unreadable, BigInteger readable, int bytes) {
    BigInteger low = unreadable;
    BigInteger high = readable;
    for (int i = 0; i < SEEKS_MAX; i++) {
      BigInteger middle = low.add(high).shiftRight(1);
      if (middle.equals(low)) {
        break;
      }
      if (seek(middle, bytes)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return seek(high, bytes) && at.isValid();
  }

  private boolean seek(BigInteger key, int bytes) {
    return seek(bytesOf(key, bytes));
  }

  /** Returns whether a seek succeeds; it may end behind the last key. */
  private boolean seek(byte[] key) {
    at.close();
    at = iterators.get();
    at.seek(key);
    return at.isValid() || !isCorrupted();
  }

  /** Keys as fractions of equal length, in key order. */
  private static BigInteger number(byte[] key, int bytes) {
    return new BigInteger(1, Arrays.copyOf(key, bytes));
  }

  private static byte[] bytesOf(BigInteger number, int bytes) {
    byte[] digits = number.toByteArray();
    byte[] key = new byte[bytes];
    int from = Math.max(0, digits.length - bytes);
    System.arraycopy(digits, from, key, bytes - digits.length + from, digits.length - from);
    return key;
  }

  @Override
  public void close() {
    at.close();
  }
}
