package dev.kvorum.http;

import dev.kvorum.http.problem.Problem;
import dev.kvorum.http.problem.Problems;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Routes of WebFlux: all paths other than those of keys and ranges. */
public final class FallbackRoutes {
  private static final MediaType PROBLEM = MediaType.parseMediaType(Problem.MEDIA_TYPE);

  private FallbackRoutes() {}

  /**
   * Returns the route for unknown paths, whose response differs from that for a missing key.
   *
   * @param api context of the public API. The management port has a child context, which inherits
   *     these routes; there the response is Spring's own
   */
  public static RouterFunction<ServerResponse> routes(ApplicationContext api) {
    return RouterFunctions.route(
        request -> api.equals(request.exchange().getApplicationContext()),
        request ->
            ServerResponse.status(Problems.UNKNOWN_PATH.status().code())
                .contentType(PROBLEM)
                .bodyValue(Problems.UNKNOWN_PATH.json()));
  }
}
