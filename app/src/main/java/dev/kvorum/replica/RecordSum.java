package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Versioned;

/**
 * Number of records and a sum over their keys, versions and checksums, independent of their order.
 * Two equal sums mean that no record is missing, except with probability 2^-64.
 */
public record RecordSum(long count, long digest) {
  /** The sum of no records. */
  public static final RecordSum NONE = new RecordSum(0, 0);

  /** Returns the sum with one more record. */
  public RecordSum plus(Mutation mutation) {
    return new RecordSum(count + 1, digest + digest(mutation.key(), mutation.record()));
  }

  /**
   * FNV-1a over all bytes, with the finalizer of SplittableRandom (Steele, Lea and Flood, 2014).
   */
  private static long digest(Key key, Versioned record) {
    long hash = 0xcbf29ce484222325L;
    for (byte one : key.bytes()) {
      hash = (hash ^ (one & 0xff)) * 0x100000001b3L;
    }
    hash = mixed(hash ^ record.version().stamp());
    hash = mixed(hash ^ record.version().writer());
    return mixed(hash ^ record.checksum());
  }

  private static long mixed(long number) {
    long half = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
    long whole = (half ^ (half >>> 27)) * 0x94d049bb133111ebL;
    return whole ^ (whole >>> 31);
  }
}
