package dev.kvorum.security;

/** Files of a directory that cannot be used for TLS; the message names the file and the reason. */
public final class InvalidCertificateException extends Exception {
  private static final long serialVersionUID = 1;

  InvalidCertificateException(String message) {
    super(message);
  }

  InvalidCertificateException(String message, Throwable cause) {
    super(message, cause);
  }
}
