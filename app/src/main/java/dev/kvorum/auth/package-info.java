/**
 * Users, and what each of them may do: read from a file that may be replaced at any time.
 *
 * <p>{@link dev.kvorum.auth.UserFile} reads the file and keeps the last usable {@link
 * dev.kvorum.auth.Users}; each {@link dev.kvorum.auth.User} has {@link dev.kvorum.auth.Rights} by
 * ranges of keys, and {@link dev.kvorum.auth.UserLimits}, of which each request takes {@link
 * dev.kvorum.auth.RequestBytes}. {@link dev.kvorum.auth.RequestRate} is how requests are limited,
 * {@link dev.kvorum.auth.Authenticator} finds out whose credentials are, and {@link
 * dev.kvorum.auth.FailedAttempts} slows down who guesses tokens.
 *
 * <p>Imports {@code auth.serviceaccount}, {@code data}, {@code settings}, Jackson and, in its
 * settings, Spring.
 */
@NullMarked
package dev.kvorum.auth;

import org.jspecify.annotations.NullMarked;
