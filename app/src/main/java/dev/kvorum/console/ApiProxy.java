package dev.kvorum.console;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Forwards requests of the page to the same path of this node's public port, which the browser may
 * not be able to reach, and returns the responses. A value is never returned with the type that its
 * writer chose: as a page it would run with the rights of this one. Credentials are those of the
 * page's user. The number of concurrent requests is small: each one is in memory until its response
 * has been written, and the page needs no more.
 *
 * <p>The browser blocks PUT and DELETE of other sites' pages: it would need a CORS permission,
 * which no response grants.
 */
final class ApiProxy {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int REQUESTS_MAX = 8;
  private static final List<String> HANDED_BACK =
      List.of(
          HttpHeaders.ETAG,
          HttpHeaders.ALLOW,
          HttpHeaders.RETRY_AFTER,
          HttpHeaders.WWW_AUTHENTICATE);

  /** Types of the API's own responses. */
  private static final Set<String> OWN_TYPES =
      Set.of("application/json", "application/problem+json", "application/x-ndjson");

  /** The type of a value, for the page. */
  private static final String VALUE_TYPE = "kvorum-value-type";

  private final WebClient client;
  private final Supplier<String> url;
  private final Semaphore turns = new Semaphore(REQUESTS_MAX);

  /**
   * Creates a proxy to this machine.
   *
   * @param url returns scheme and address of the public API
   */
  ApiProxy(WebClient client, Supplier<String> url) {
    this.client = client;
    this.url = url;
  }

  Mono<ServerResponse> handle(ServerRequest request) {
    if (!turns.tryAcquire()) {
      return busy();
    }
    AtomicBoolean held = new AtomicBoolean(true);
    Runnable giveBack =
        () -> {
          if (held.getAndSet(false)) {
            turns.release();
          }
        };
    return forward(request)
        .<ServerResponse>map(response -> new Watched(response, giveBack))
        .doOnError(failure -> giveBack.run())
        .doOnCancel(giveBack);
  }

  /**
   * A response with a callback, which runs once the response has been written or cannot be written.
   */
  private record Watched(ServerResponse response, Runnable written) implements ServerResponse {
    @Override
    public HttpStatusCode statusCode() {
      return response.statusCode();
    }

    @Override
    public HttpHeaders headers() {
      return response.headers();
    }

    @Override
    public MultiValueMap<String, ResponseCookie> cookies() {
      return response.cookies();
    }

    @Override
    public Mono<Void> writeTo(ServerWebExchange exchange, Context context) {
      return response.writeTo(exchange, context).doFinally(signal -> written.run());
    }
  }

  private Mono<ServerResponse> forward(ServerRequest request) {
    String query = request.uri().getRawQuery();
    URI target =
        URI.create(
            url.get()
                + request.path().replaceFirst(ConsoleRoutes.PREFIX, "/v0/")
                + "?"
                + (query == null ? "" : query));
    return client
        .method(request.method())
        .uri(target)
        .headers(headers -> {
          headers.setContentLength(request.headers().contentLength().orElse(0));
          // All of them, so that two are rejected here as there.
          headers.addAll(
              HttpHeaders.AUTHORIZATION, request.headers().header(HttpHeaders.AUTHORIZATION));
          String type = request.headers().firstHeader(VALUE_TYPE);
          if (type != null) {
            headers.set(HttpHeaders.CONTENT_TYPE, type);
          }
        })
        .body(request.bodyToFlux(DataBuffer.class), DataBuffer.class)
        .exchangeToMono(ApiProxy::handBack)
        .timeout(TIMEOUT)
        .onErrorResume(WebClientRequestException.class, ApiProxy::unreachable);
  }

  private static Mono<ServerResponse> handBack(ClientResponse response) {
    HttpHeaders headers = response.headers().asHttpHeaders();
    // Read the body to its end here, so that the connection returns to the pool.
    // As buffers: Spring would parse the type of a value.
    return DataBufferUtils.join(response.body(BodyExtractors.toDataBuffers()))
        .map(ApiProxy::bytes)
        .defaultIfEmpty(new byte[0])
        .flatMap(body ->
            ServerResponse.status(response.statusCode())
                .headers(to -> handBack(headers, to))
                .body(BodyInserters.fromValue(body)));
  }

  private static void handBack(HttpHeaders from, HttpHeaders to) {
    HANDED_BACK.stream()
        .filter(from::containsHeader)
        .forEach(name -> to.set(name, from.getFirst(name)));
    String type = from.getFirst(HttpHeaders.CONTENT_TYPE);
    if (type != null) {
      boolean isOwn = OWN_TYPES.contains(type);
      to.set(HttpHeaders.CONTENT_TYPE, isOwn ? type : MediaType.APPLICATION_OCTET_STREAM_VALUE);
      to.set(VALUE_TYPE, type);
    }
    to.set("X-Content-Type-Options", "nosniff");
    to.set("Content-Security-Policy", "sandbox");
  }

  private static byte[] bytes(DataBuffer joined) {
    byte[] bytes = new byte[joined.readableByteCount()];
    joined.read(bytes);
    DataBufferUtils.release(joined);
    return bytes;
  }

  private static Mono<ServerResponse> busy() {
    return ServerResponse.status(503)
        .header(HttpHeaders.RETRY_AFTER, "1")
        .contentType(MediaType.TEXT_PLAIN)
        .bodyValue(
            "this page forwards "
                + REQUESTS_MAX
                + " requests at a time and all are in use: try again, or use the public port");
  }

  private static Mono<ServerResponse> unreachable(WebClientRequestException failure) {
    return ServerResponse.status(502)
        .contentType(MediaType.TEXT_PLAIN)
        .bodyValue("the public port of this node does not respond: " + failure.getMessage());
  }
}
