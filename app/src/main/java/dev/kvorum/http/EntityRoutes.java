package dev.kvorum.http;

import org.springframework.boot.reactor.netty.NettyRouteProvider;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * Routes requests for one key to their handler without WebFlux on the way, which would cost a third
 * of the reads (see the ADR on the HTTP layer).
 */
public final class EntityRoutes implements NettyRouteProvider {
  private final EntityHandler handler;

  public EntityRoutes(EntityHandler handler) {
    this.handler = handler;
  }

  @Override
  public HttpServerRoutes apply(HttpServerRoutes routes) {
    return routes.route(request -> EntityQuery.matches(request.uri()), handler::handle);
  }
}
