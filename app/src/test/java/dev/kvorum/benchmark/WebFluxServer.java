package dev.kvorum.benchmark;

import java.util.Arrays;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/**
 * The answers of {@link BareServer} through a functional route of WebFlux: what the road that the
 * keys do not take would cost.
 */
final class WebFluxServer {
  private static final int VALUE_BYTES = 100;
  private static final byte[] VALUE = value();

  private WebFluxServer() {}

  /** Serves on the port given as the only argument until the process is ended. */
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[0]);
    int loops = Runtime.getRuntime().availableProcessors();
    HttpServer.create()
        .runOn(LoopResources.create("webflux", loops, true))
        .port(port)
        .handle(new ReactorHttpHandlerAdapter(RouterFunctions.toHttpHandler(routes())))
        .bindNow()
        .onDispose()
        .block();
  }

  private static RouterFunction<ServerResponse> routes() {
    return RouterFunctions.route(RequestPredicates.GET("/v0/entity"), WebFluxServer::get)
        .andRoute(RequestPredicates.PUT("/v0/entity"), WebFluxServer::put);
  }

  private static Mono<ServerResponse> get(ServerRequest request) {
    DataBuffer value = request.exchange().getResponse().bufferFactory().wrap(VALUE);
    return ServerResponse.ok()
        .header(HttpHeaders.CONTENT_LENGTH, Integer.toString(VALUE_BYTES))
        .body(BodyInserters.fromDataBuffers(Mono.just(value)));
  }

  private static Mono<ServerResponse> put(ServerRequest request) {
    return request
        .body(BodyExtractors.toDataBuffers())
        .doOnNext(DataBufferUtils::release)
        .then(ServerResponse.status(201).header(HttpHeaders.CONTENT_LENGTH, "0").build());
  }

  private static byte[] value() {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) 'v');
    return value;
  }
}
