package dev.kvorum.auth;

/** Who sends requests. */
public record User(String name, Rights rights) {
  /** Name of who gives no credentials; no user can have it. */
  static final String ANONYMOUS = "";

  /** Whether there were no credentials. */
  public boolean isAnonymous() {
    return name.equals(ANONYMOUS);
  }
}
