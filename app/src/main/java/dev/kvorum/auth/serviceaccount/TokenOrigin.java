package dev.kvorum.auth.serviceaccount;

import com.nimbusds.jwt.SignedJWT;

/** Finds out whether the API server has made a token. Safe for use by many threads; may block. */
interface TokenOrigin extends AutoCloseable {
  /**
   * Whether it has made a token, and answers for it now.
   *
   * @param account the ServiceAccount whose it claims to be
   * @throws UncheckedTokenException if that cannot be known now
   */
  boolean isGenuine(SignedJWT token, AccountClaims account) throws UncheckedTokenException;

  @Override
  void close();
}
