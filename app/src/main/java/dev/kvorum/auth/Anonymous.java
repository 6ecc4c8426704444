package dev.kvorum.auth;

/** What may be done without credentials. */
public enum Anonymous {
  /** Everything. */
  ALL,
  /** Read all keys. */
  READ,
  /** Nothing. */
  NONE;

  Rights rights() {
    return switch (this) {
      case ALL -> Rights.ALL;
      case READ -> Rights.READ;
      case NONE -> Rights.NONE;
    };
  }

  ManagementRight management() {
    return switch (this) {
      case ALL -> ManagementRight.ADMINISTER;
      case READ -> ManagementRight.OBSERVE;
      case NONE -> ManagementRight.NONE;
    };
  }
}
