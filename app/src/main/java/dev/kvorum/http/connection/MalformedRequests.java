package dev.kvorum.http.connection;

import dev.kvorum.http.problem.Problem;
import dev.kvorum.http.problem.Problems;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/**
 * Replaces Reactor Netty's empty responses to malformed or oversized requests with problems.
 * Reactor Netty writes them before a handler receives a request.
 */
@ChannelHandler.Sharable
public final class MalformedRequests extends ChannelOutboundHandlerAdapter
    implements NettyServerCustomizer {
  private static final String NAME = "kvorum.malformedRequests";

  @Override
  public HttpServer apply(HttpServer server) {
    return server.doOnChannelInit((observer, channel, address) ->
        channel.pipeline().addBefore(NettyPipeline.HttpTrafficHandler, NAME, this));
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the caller handles the promise
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    context.write(message instanceof FullHttpResponse full ? withBody(full) : message, promise);
  }

  private static FullHttpResponse withBody(FullHttpResponse response) {
    Problem problem = problem(response.status().code());
    if (problem == null || response.headers().contains(HttpHeaderNames.CONTENT_TYPE)) {
      return response;
    }
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
        .setInt(HttpHeaderNames.CONTENT_LENGTH, problem.json().length);
    FullHttpResponse full = response.replace(Unpooled.wrappedBuffer(problem.json()));
    response.release();
    return full;
  }

  private static @Nullable Problem problem(int status) {
    return switch (status) {
      case 400 -> Problems.MALFORMED_REQUEST;
      case 414 -> Problems.URI_TOO_LONG;
      case 431 -> Problems.HEADER_TOO_LARGE;
      default -> null;
    };
  }
}
