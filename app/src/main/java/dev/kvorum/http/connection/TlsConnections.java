package dev.kvorum.http.connection;

import dev.kvorum.security.HttpTls;
import dev.kvorum.security.TlsMode;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.core.Ordered;
import reactor.netty.http.server.HttpServer;

/** Secures client connections by TLS, and rejects plain ones where that is required. */
public final class TlsConnections implements NettyServerCustomizer, Ordered {
  private static final String NAME = "kvorum.tls";

  private final HttpTls tls;

  public TlsConnections(HttpTls tls) {
    this.tls = tls;
  }

  @Override
  public HttpServer apply(HttpServer server) {
    if (tls.mode() == TlsMode.OFF) {
      return server;
    }
    return server.doOnChannelInit((observer, channel, address) ->
        channel.pipeline().addFirst(NAME, new ClientTlsDetector(tls)));
  }

  /** After all others, so that its handler is the first of the pipeline. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }
}
