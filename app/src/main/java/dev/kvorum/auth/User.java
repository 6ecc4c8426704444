package dev.kvorum.auth;

/**
 * Who sends requests.
 *
 * @param limits what it may use of this node
 * @param management what it may do at the management port
 */
public record User(String name, Rights rights, UserLimits limits, ManagementRight management) {
  /** Name of who gives no credentials; no user can have it. */
  static final String ANONYMOUS = "";

  /** Whether there were no credentials. */
  public boolean isAnonymous() {
    return name.equals(ANONYMOUS);
  }

  /** Whether it may do something at the management port. */
  public boolean may(ManagementRight right) {
    return management.compareTo(right) >= 0;
  }

  /** Whether it has limits. */
  @SuppressWarnings("ReferenceEquality") // there is one object without limits
  boolean isLimited() {
    return limits != UserLimits.NONE;
  }
}
