package dev.kvorum.http;

import dev.kvorum.http.problem.Problems;
import dev.kvorum.http.request.EntityQuery;
import dev.kvorum.http.request.RangeParameters;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.function.BooleanSupplier;
import org.springframework.boot.reactor.netty.NettyRouteProvider;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * Routes requests for keys, ranges and explanations to their handlers without WebFlux, which would
 * cost a third of the read throughput (see the ADR on the HTTP layer).
 */
public final class EntityRoutes implements NettyRouteProvider {
  private static final String API = "/v0/";

  private final EntityHandler entity;
  private final RangeHandler entities;
  private final ExplainHandler explain;
  private final BooleanSupplier isRestoring;

  /**
   * Creates routes.
   *
   * @param isRestoring returns whether all requests are rejected, since records are missing
   */
  public EntityRoutes(
      EntityHandler entity,
      RangeHandler entities,
      ExplainHandler explain,
      BooleanSupplier isRestoring) {
    this.entity = entity;
    this.entities = entities;
    this.explain = explain;
    this.isRestoring = isRestoring;
  }

  @Override
  public HttpServerRoutes apply(HttpServerRoutes routes) {
    return routes
        .route(
            request -> isRestoring.getAsBoolean() && request.uri().startsWith(API),
            (request, response) -> Responses.unavailable(response, Problems.RESTORING))
        .route(request -> EntityQuery.matches(request.uri()), entity::handle)
        .route(request -> RangeParameters.matches(request.uri()), entities::handle)
        .route(request -> EntityQuery.isToExplain(request.uri()), explain::handle)
        .route(
            request -> isPreflight(request) || !isUri(request.uri()),
            (request, response) -> Responses.problem(response, Problems.UNKNOWN_PATH));
  }

  /** Returns whether this is a CORS preflight request, which WebFlux would respond to with 200. */
  private static boolean isPreflight(HttpServerRequest request) {
    return request.method().equals(HttpMethod.OPTIONS)
        && request.requestHeaders().contains(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD);
  }

  /**
   * Returns whether WebFlux can parse the target; otherwise it responds with an empty 400 or 500.
   */
  private static boolean isUri(String target) {
    try {
      URI uri = new URI(target);
      return target.startsWith("/") || (uri.getScheme() != null && uri.getHost() != null);
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
