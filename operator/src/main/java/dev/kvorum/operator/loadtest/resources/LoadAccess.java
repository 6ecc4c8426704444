package dev.kvorum.operator.loadtest.resources;

import java.util.Optional;

/**
 * What a cluster demands of its clients.
 *
 * @param tls whether they have to use TLS
 * @param secret name of the Secret with the token that they have to send, if they have to
 */
public record LoadAccess(boolean tls, Optional<String> secret) {}
