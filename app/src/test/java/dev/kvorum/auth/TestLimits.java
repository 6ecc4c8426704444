package dev.kvorum.auth;

/** Limits of users for tests of other packages. */
public final class TestLimits {
  private TestLimits() {}

  /** Limits of bytes in flight alone. */
  public static UserLimits ofBytes(long bytesInFlight) {
    return UserLimits.of(0, bytesInFlight, () -> 0);
  }
}
