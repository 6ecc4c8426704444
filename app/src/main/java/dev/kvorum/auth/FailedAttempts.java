package dev.kvorum.auth;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Limits how often each address can give wrong credentials: a token bucket for each of the last
 * ones that did. Of IPv6, a network of 64 bits is one address, since its owner has all of them.
 * Safe for use by many threads.
 */
public final class FailedAttempts {
  private static final double NANOS = 1e9;

  private final double rate;
  private final LongSupplier nanoTime;
  private final Map<Long, Bucket> buckets;

  /** Set with the first failure: until then nobody has to wait for the lock. */
  private volatile boolean isNeeded;

  private static final class Bucket {
    private double left;
    private long atNanos;

    Bucket(double left, long atNanos) {
      this.left = left;
      this.atNanos = atNanos;
    }
  }

  /**
   * Creates a limit.
   *
   * @param rate failures per second of one address, and how many it can have at once
   * @param addressesMax addresses that are remembered; the one that was quiet for longest is
   *     forgotten first
   */
  public FailedAttempts(int rate, int addressesMax, LongSupplier nanoTime) {
    this.rate = rate;
    this.nanoTime = nanoTime;
    this.buckets =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, Bucket> eldest) {
            return size() > addressesMax;
          }
        };
  }

  private static long id(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    // No network of IPv6 begins with so many zeros but that of addresses of one machine.
    return address instanceof Inet6Address
        ? bytes.getLong()
        : Integer.toUnsignedLong(bytes.getInt());
  }

  /** Whether credentials of an address are not to be looked at now. */
  public boolean isBlocked(InetAddress address) {
    if (!isNeeded) {
      return false;
    }
    synchronized (buckets) {
      Bucket bucket = buckets.get(id(address));
      return bucket != null && left(bucket) < 1;
    }
  }

  /** Counts wrong credentials. */
  public void failed(InetAddress address) {
    isNeeded = true;
    synchronized (buckets) {
      Bucket bucket =
          buckets.computeIfAbsent(id(address), it -> new Bucket(rate, nanoTime.getAsLong()));
      bucket.left = left(bucket) - 1;
      bucket.atNanos = nanoTime.getAsLong();
    }
  }

  private double left(Bucket bucket) {
    return Math.min(rate, bucket.left + (nanoTime.getAsLong() - bucket.atNanos) / NANOS * rate);
  }
}
