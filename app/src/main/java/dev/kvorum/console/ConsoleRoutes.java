package dev.kvorum.console;

import static org.springframework.web.reactive.function.server.RequestPredicates.DELETE;
import static org.springframework.web.reactive.function.server.RequestPredicates.GET;
import static org.springframework.web.reactive.function.server.RequestPredicates.HEAD;
import static org.springframework.web.reactive.function.server.RequestPredicates.PUT;

import dev.kvorum.placement.SlotMap;
import dev.kvorum.topology.Topology;
import io.netty.handler.ssl.SslContext;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.ExchangeStrategies;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** Routes of the console: the page, the slots that it draws, and a proxy for keys. */
public final class ConsoleRoutes {
  /** Path of what is forwarded, in front of the name in the public API. */
  static final String PREFIX = "/console/";

  private static final Resource PAGE = new ClassPathResource("console/index.html");
  // The page loads nothing from other origins, and other sites may not frame it.
  private static final String POLICY =
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors"
          + " 'none'";

  private final Supplier<Topology> topology;
  private final Supplier<SlotMap> slots;
  private final int replication;
  private final ApiProxy api;

  /**
   * Creates the routes of one node.
   *
   * @param slots supplies the members' slots
   * @param replication how many members of a slot are returned
   * @param publicUrl scheme and address of the API for keys
   * @param tls what a client of that address needs, if it speaks TLS
   * @param valueBytesMax largest value that is forwarded, in bytes
   */
  public ConsoleRoutes(
      Supplier<Topology> topology,
      Supplier<SlotMap> slots,
      int replication,
      Supplier<String> publicUrl,
      Optional<SslContext> tls,
      int valueBytesMax) {
    this.topology = topology;
    this.slots = slots;
    this.replication = replication;
    ExchangeStrategies bounded =
        ExchangeStrategies.builder()
            .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(valueBytesMax))
            .build();
    HttpClient client =
        tls.map(own -> HttpClient.create().secure(spec -> spec.sslContext(own)))
            .orElseGet(HttpClient::create);
    this.api =
        new ApiProxy(
            WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(client))
                .exchangeStrategies(bounded)
                .build(),
            publicUrl);
  }

  /**
   * Returns all routes.
   *
   * @param here returns whether a request arrived at a port with a console
   */
  public RouterFunction<ServerResponse> routes(RequestPredicate here) {
    RequestPredicate proxied =
        GET(PREFIX + "entity")
            .or(PUT(PREFIX + "entity"))
            .or(DELETE(PREFIX + "entity"))
            .or(GET(PREFIX + "entities"))
            .or(GET(PREFIX + "explain"));
    return RouterFunctions.route(here.and(GET("/").or(HEAD("/"))), request -> page())
        .andRoute(here.and(GET("/console/slots")), this::slots)
        .andRoute(here.and(proxied), api::handle)
        .andRoute(here.and(GET("/console/console.css")), request -> file("console.css", "text/css"))
        .andRoute(
            here.and(GET("/console/console.js")), request -> file("console.js", "text/javascript"));
  }

  private static Mono<ServerResponse> page() {
    return ServerResponse.ok()
        .contentType(MediaType.TEXT_HTML)
        .header("Content-Security-Policy", POLICY)
        .bodyValue(PAGE);
  }

  private static Mono<ServerResponse> file(String name, String type) {
    return ServerResponse.ok()
        .contentType(MediaType.parseMediaType(type + ";charset=utf-8"))
        .bodyValue(new ClassPathResource("console/" + name));
  }

  private Mono<ServerResponse> slots(ServerRequest request) {
    Topology now = topology.get();
    SlotMap map = slots.get();
    int copies = Math.min(replication, now.before().size());
    return ServerResponse.ok().bodyValue(SlotsView.of(now, map, copies));
  }
}
