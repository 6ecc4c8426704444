package dev.kvorum.auth.serviceaccount;

/** How tokens of Kubernetes ServiceAccounts are checked. */
public enum ServiceAccountMode {
  /** They are not taken. */
  OFF,
  /**
   * By the signature, with the API server's public keys, which are kept: this works while the API
   * server is away.
   */
  JWKS,
  /** By asking the API server, which also knows of deleted pods and accounts. */
  TOKEN_REVIEW
}
