/**
 * TLS: certificates from a directory of PEM files, read again while the node runs.
 *
 * <p>{@link dev.kvorum.security.PemDirectory} reads the files, {@link
 * dev.kvorum.security.CertifiedKey} checks them, and {@link dev.kvorum.security.ServerTls} serves
 * with the last ones that are usable.
 *
 * <p>Imports {@code settings}, Netty and, in its settings, Spring.
 */
@NullMarked
package dev.kvorum.security;

import org.jspecify.annotations.NullMarked;
