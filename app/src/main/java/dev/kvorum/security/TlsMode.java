package dev.kvorum.security;

/** Whether a port speaks TLS. */
public enum TlsMode {
  /** Plain connections only. */
  OFF,
  /** Plain connections and TLS. */
  PERMISSIVE,
  /** TLS only. */
  REQUIRED
}
