package dev.kvorum.rpc;

import dev.kvorum.security.PeerTls;
import dev.kvorum.security.TlsDetector;
import io.netty.channel.ChannelHandlerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rejects plain connections where TLS is required. The first byte of a plain one is 0, as a
 * handshake is short.
 */
final class PeerTlsDetector extends TlsDetector {
  private static final Logger log = LoggerFactory.getLogger(PeerTlsDetector.class);

  private final PeerTls tls;

  PeerTlsDetector(PeerTls tls) {
    super(tls.mode(), tls::accepting);
    this.tls = tls;
  }

  @Override
  protected void reject(ChannelHandlerContext context) {
    log.warn(
        "Rejected a connection from {}: it is plain, and kvorum.tls.peer is required",
        context.channel().remoteAddress());
    context.close();
  }

  @Override
  protected void secured(ChannelHandlerContext context) {
    tls.boundAge(context.channel());
  }

  @Override
  protected void permitted(ChannelHandlerContext context) {
    tls.notePlain(context.channel());
  }
}
