/**
 * TLS: certificates from a directory of PEM files, read again while the node runs.
 *
 * <p>{@link dev.kvorum.security.PemDirectory} reads the files, {@link
 * dev.kvorum.security.CertifiedKey} checks them, and {@link dev.kvorum.security.TlsPort} keeps the
 * last ones that are usable; {@link dev.kvorum.security.HttpTls} is for the connections of clients,
 * {@link dev.kvorum.security.PeerTls} for those of members, which {@link
 * dev.kvorum.security.PeerCertificate} names.
 *
 * <p>Imports {@code settings}, Netty, the JDK's names of certificates and, in its settings, Spring.
 */
@NullMarked
package dev.kvorum.security;

import org.jspecify.annotations.NullMarked;
