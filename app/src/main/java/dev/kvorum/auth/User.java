package dev.kvorum.auth;

/**
 * Who sends requests.
 *
 * @param limits what it may use of this node
 * @param isAdministrator whether it may change the node's state through the management port
 */
public record User(String name, Rights rights, UserLimits limits, boolean isAdministrator) {
  /** Name of who gives no credentials; no user can have it. */
  static final String ANONYMOUS = "";

  /** Whether there were no credentials. */
  public boolean isAnonymous() {
    return name.equals(ANONYMOUS);
  }

  /** Whether it has limits. */
  @SuppressWarnings("ReferenceEquality") // there is one object without limits
  boolean isLimited() {
    return limits != UserLimits.NONE;
  }
}
