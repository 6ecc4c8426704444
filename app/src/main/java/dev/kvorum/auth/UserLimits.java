package dev.kvorum.auth;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** What a user may use of one node, and what it uses. Safe for use by many threads. */
public final class UserLimits {
  /** Nothing is limited. */
  static final UserLimits NONE = new UserLimits(0, 0, new Usage(() -> 0));

  /** Most requests per second that a limit can permit. */
  static final int REQUESTS_MAX = 1_000_000;

  /** Smallest limit of bytes in flight; a request that is alone may have more. */
  static final long BYTES_MIN = 1L << 20;

  /** Largest limit of bytes in flight. */
  static final long BYTES_MAX = 1L << 40;

  private final int requestsPerSecond;
  private final long bytesInFlight;
  private final Usage usage;

  /** What a user uses. It outlives a change of the limits: a reload gives nobody a new budget. */
  private static final class Usage {
    private final RequestRate requests;
    private final AtomicLong bytes = new AtomicLong();

    Usage(LongSupplier nanoTime) {
      this.requests = new RequestRate(nanoTime);
    }
  }

  private UserLimits(int requestsPerSecond, long bytesInFlight, Usage usage) {
    this.requestsPerSecond = requestsPerSecond;
    this.bytesInFlight = bytesInFlight;
    this.usage = usage;
  }

  /**
   * Creates limits of a user that uses nothing yet.
   *
   * @param requestsPerSecond requests per second, and how many can come at once; 0: no limit
   * @param bytesInFlight bytes of values of its requests under way; 0: no limit
   */
  static UserLimits of(int requestsPerSecond, long bytesInFlight, LongSupplier nanoTime) {
    return new UserLimits(requestsPerSecond, bytesInFlight, new Usage(nanoTime));
  }

  /** The limits of these for a user that has used them so far. */
  UserLimits after(UserLimits before) {
    return new UserLimits(requestsPerSecond, bytesInFlight, before.usage);
  }

  /** Counts a request. Returns false if it is one too many now; then it is not counted. */
  public boolean takeRequest() {
    return requestsPerSecond == 0 || usage.requests.take(requestsPerSecond);
  }

  /** The bytes of a new request. */
  public RequestBytes newRequest() {
    return bytesInFlight == 0
        ? RequestBytes.UNLIMITED
        : new RequestBytes(bytesInFlight, usage.bytes);
  }
}
