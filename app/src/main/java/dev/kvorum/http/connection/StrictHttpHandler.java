package dev.kvorum.http.connection;

import dev.kvorum.http.problem.Problem;
import dev.kvorum.http.problem.Problems;
import dev.kvorum.http.request.AcceptHeader;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Rejects malformed requests that Reactor Netty would accept, and closes the connection. These are
 * a body with malformed chunks, which Reactor Netty takes for a complete one; a body in an unknown
 * coding, which it takes for the next request; and a request without a host.
 */
final class StrictHttpHandler extends ChannelInboundHandlerAdapter {
  private final ClientConnection connection;
  private final long discardMax;
  private long discarded;
  private boolean over;

  /**
   * Creates a handler for one connection.
   *
   * @param discardMax bytes of a body that are read after the response to its request
   */
  StrictHttpHandler(ClientConnection connection, long discardMax) {
    this.connection = connection;
    this.discardMax = discardMax;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Problem objection = over ? null : objection(message);
    if (objection != null) {
      over = true;
      reject(context, objection);
    } else if (!over && isTooMuch(message)) {
      over = true;
      context.close();
    }
    if (over) {
      ReferenceCountUtil.release(message);
    } else {
      context.fireChannelRead(message);
    }
  }

  private static @Nullable Problem objection(Object message) {
    if (message instanceof HttpRequest request) {
      // Reactor Netty responds to requests that it cannot parse.
      return request.decoderResult().isFailure() ? null : ofHead(request);
    }
    if (message instanceof HttpContent content && content.decoderResult().isFailure()) {
      return content.decoderResult().cause() instanceof TooLongHttpHeaderException
          ? Problems.HEADER_TOO_LARGE
          : Problems.MALFORMED_REQUEST;
    }
    return null;
  }

  private static @Nullable Problem ofHead(HttpRequest request) {
    HttpHeaders headers = request.headers();
    if (headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
      String codings = AcceptHeader.all(headers, HttpHeaderNames.TRANSFER_ENCODING);
      if (!HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.strip())) {
        return Problems.UNKNOWN_CODING;
      }
    }
    boolean needsHost = request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    return needsHost && !hasOneHost(headers) ? Problems.NO_HOST : null;
  }

  private static boolean hasOneHost(HttpHeaders headers) {
    Iterator<? extends CharSequence> hosts =
        headers.valueCharSequenceIterator(HttpHeaderNames.HOST);
    if (!hosts.hasNext()) {
      return false;
    }
    hosts.next();
    return !hosts.hasNext();
  }

  private boolean isTooMuch(Object message) {
    if (message instanceof HttpRequest) {
      discarded = 0;
    } else if (message instanceof HttpContent content && connection.owed() == 0) {
      discarded += content.content().readableBytes();
    }
    return discarded > discardMax;
  }

  /**
   * Rejects a request. It sends a response only if this is the only request without a response,
   * since clients take the next response for that to the earliest one.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the connection closes in any case
  private void reject(ChannelHandlerContext context, Problem problem) {
    if (connection.owed() != 1) {
      context.close();
      return;
    }
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, problem.status(), Unpooled.wrappedBuffer(problem.json()));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
        .setInt(HttpHeaderNames.CONTENT_LENGTH, problem.json().length);
    context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  /** Ignores disconnects by the client, which are no failure of this node. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      context.close();
    } else {
      context.fireExceptionCaught(cause);
    }
  }
}
