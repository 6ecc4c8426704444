/**
 * Tokens of Kubernetes ServiceAccounts: who has sent them, and whether that is still so.
 *
 * <p>{@link dev.kvorum.auth.serviceaccount.ServiceAccountTokens} checks what a token claims ({@link
 * dev.kvorum.auth.serviceaccount.AccountClaims}) and then asks its {@link
 * dev.kvorum.auth.serviceaccount.TokenOrigin} whether the API server has made it: by its signature
 * ({@link dev.kvorum.auth.serviceaccount.SignedTokens}) or by a TokenReview ({@link
 * dev.kvorum.auth.serviceaccount.ReviewedTokens}).
 *
 * <p>Imports Nimbus JOSE+JWT and the Kubernetes client.
 */
@NullMarked
package dev.kvorum.auth.serviceaccount;

import org.jspecify.annotations.NullMarked;
