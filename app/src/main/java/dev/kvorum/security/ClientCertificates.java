package dev.kvorum.security;

import io.netty.handler.ssl.ClientAuth;

/** Whether clients present certificates, which {@code clients-ca.crt} must have signed. */
public enum ClientCertificates {
  /** They are not asked for one. */
  NONE(ClientAuth.NONE),
  /** One that is presented is verified. */
  OPTIONAL(ClientAuth.OPTIONAL),
  /** Without one there is no connection. */
  REQUIRED(ClientAuth.REQUIRE);

  private final ClientAuth auth;

  ClientCertificates(ClientAuth auth) {
    this.auth = auth;
  }

  ClientAuth auth() {
    return auth;
  }
}
