package dev.kvorum.benchmark;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Arrays;
import org.reactivestreams.Publisher;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;

/**
 * A Reactor Netty server that stores nothing: GET answers 100 bytes, PUT reads its body and answers
 * 201. Machines differ; what a node reaches as a share of what this reaches on the same machine in
 * the same minutes differs less.
 */
final class BareServer {
  private static final int VALUE_BYTES = 100;
  private static final byte[] VALUE = value();

  private BareServer() {}

  /** Serves on the port given as the only argument until the process is ended. */
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[0]);
    // As many loops as processors, as a node has; Reactor's own default is at least four.
    int loops = Runtime.getRuntime().availableProcessors();
    HttpServer.create()
        .runOn(LoopResources.create("bare", loops, true))
        .port(port)
        .handle(BareServer::answer)
        .bindNow()
        .onDispose()
        .block();
  }

  private static Publisher<Void> answer(HttpServerRequest request, HttpServerResponse response) {
    return request.method().equals(HttpMethod.GET)
        ? response
            .header(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(VALUE_BYTES))
            .sendObject(Unpooled.wrappedBuffer(VALUE))
        : request
            .receive()
            .then(response.status(201).header(HttpHeaderNames.CONTENT_LENGTH, "0").send());
  }

  private static byte[] value() {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) 'v');
    return value;
  }
}
