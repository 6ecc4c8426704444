package dev.kvorum.auth;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that one request uses of its user's limit. Confined to the thread that handles the
 * request, but {@link #release} may follow on another.
 */
public final class RequestBytes {
  private static final long NO_LIMIT = 0;

  /** Those of a request whose user has no limit. */
  public static final RequestBytes UNLIMITED = new RequestBytes(NO_LIMIT, new AtomicLong());

  private final long bytesMax;
  private final AtomicLong ofUser;
  private long own;
  private boolean rejected;

  RequestBytes(long bytesMax, AtomicLong ofUser) {
    this.bytesMax = bytesMax;
    this.ofUser = ofUser;
  }

  /**
   * Uses more bytes, 0 for a number that is not known yet. Returns false if other requests of the
   * user leave too few. A request that is alone may use any number: it would never be served
   * otherwise.
   */
  public boolean take(long more) {
    if (bytesMax == NO_LIMIT) {
      return true;
    }
    while (true) {
      long used = ofUser.get();
      boolean isOver = used >= bytesMax || used + more > bytesMax;
      if (isOver && used > own) {
        rejected = true;
        return false;
      }
      if (ofUser.compareAndSet(used, used + more)) {
        own += more;
        return true;
      }
    }
  }

  /** Whether bytes were rejected. */
  public boolean isRejected() {
    return rejected;
  }

  /** Gives all bytes back; again, it does nothing. */
  public void release() {
    if (own != 0) {
      ofUser.addAndGet(-own);
      own = 0;
    }
  }
}
