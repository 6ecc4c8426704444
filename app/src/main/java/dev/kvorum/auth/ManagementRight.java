package dev.kvorum.auth;

/** What a user may do at the management port; each includes those before. */
public enum ManagementRight {
  /** Ask for health, and see the console's page. */
  NONE,
  /** See state and metrics. */
  OBSERVE,
  /** Accept a loss of data. */
  ADMINISTER
}
