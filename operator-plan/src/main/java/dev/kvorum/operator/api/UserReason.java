package dev.kvorum.operator.api;

/** Why a user is, or is not, ready. */
public enum UserReason {
  /** All nodes know it as it is. */
  IN_EFFECT("InEffect"),

  /** Some node does not know its last change yet. */
  NOT_YET_IN_EFFECT("NotYetInEffect"),

  /** The cluster's nodes take no users. */
  OPEN_PROFILE("OpenProfile"),

  /** The operator may not read or write Secrets. */
  NO_ACCESS_TO_SECRETS("NoAccessToSecrets"),

  /** A type of authentication that this operator does not know. */
  UNKNOWN_AUTHENTICATION("UnknownAuthentication"),

  /** The Secret with its token does not exist. */
  SECRET_MISSING("SecretMissing"),

  /** The Secret of its name is deleted with something else. */
  FOREIGN_SECRET("ForeignSecret"),

  /** What is in the Secret is no token. */
  INVALID_TOKEN("InvalidToken"),

  /** Its ServiceAccount is missing, or has a name that none can have. */
  INVALID_SERVICE_ACCOUNT("InvalidServiceAccount"),

  /** The cluster's settings say that nodes take no tokens of ServiceAccounts. */
  SERVICE_ACCOUNTS_OFF("ServiceAccountsOff"),

  /** An older user has its token, its common name or its ServiceAccount. */
  DUPLICATE("Duplicate"),

  /** It has only the rules of those of its roles that exist. */
  UNKNOWN_ROLE("UnknownRole"),

  /** It has only those of its rules that a node accepts. */
  INVALID_RULE("InvalidRule"),

  /** All users of the cluster together do not fit into a Secret. */
  TOO_LARGE("TooLarge");

  private final String label;

  UserReason(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
