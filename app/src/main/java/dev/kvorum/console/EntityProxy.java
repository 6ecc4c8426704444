package dev.kvorum.console;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * Hands requests for one key on to this node's public port, which may not be reachable from where
 * the page is looked at, and its answers back as they are.
 *
 * <p>PUT and DELETE of another site's page are stopped by the browser: it would have to ask first,
 * and nothing here allows it.
 */
final class EntityProxy {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final List<String> HANDED_BACK =
      List.of(HttpHeaders.CONTENT_TYPE, HttpHeaders.ETAG, HttpHeaders.ALLOW);

  private final WebClient client;
  private final IntSupplier port;

  /**
   * A proxy to this machine.
   *
   * @param port of the public API
   */
  EntityProxy(WebClient client, IntSupplier port) {
    this.client = client;
    this.port = port;
  }

  Mono<ServerResponse> handle(ServerRequest request) {
    String query = request.uri().getRawQuery();
    URI target =
        URI.create(
            "http://localhost:" + port.getAsInt() + "/v0/entity?" + (query == null ? "" : query));
    return client
        .method(request.method())
        .uri(target)
        .headers(headers -> headers.setContentLength(request.headers().contentLength().orElse(0)))
        .body(request.bodyToFlux(DataBuffer.class), DataBuffer.class)
        .exchangeToMono(EntityProxy::handBack)
        .timeout(TIMEOUT)
        .onErrorResume(WebClientRequestException.class, EntityProxy::unreachable);
  }

  private static Mono<ServerResponse> handBack(ClientResponse answer) {
    HttpHeaders headers = answer.headers().asHttpHeaders();
    // Read to the end here: the connection is given back once this is over.
    return answer
        .bodyToMono(byte[].class)
        .defaultIfEmpty(new byte[0])
        .flatMap(body ->
            ServerResponse.status(answer.statusCode())
                .headers(to ->
                    HANDED_BACK.stream()
                        .filter(headers::containsHeader)
                        .forEach(name -> to.set(name, headers.getFirst(name))))
                .body(BodyInserters.fromValue(body)));
  }

  private static Mono<ServerResponse> unreachable(WebClientRequestException failure) {
    return ServerResponse.status(502)
        .contentType(MediaType.TEXT_PLAIN)
        .bodyValue("this node's public port does not answer: " + failure.getMessage());
  }
}
