package dev.kvorum.http;

import dev.kvorum.http.problem.Problem;
import dev.kvorum.http.problem.Problems;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The routes of WebFlux: all that is not a single key. */
public final class OtherRoutes {
  private static final MediaType PROBLEM = MediaType.parseMediaType(Problem.MEDIA_TYPE);

  private OtherRoutes() {}

  /**
   * Says that a path is wrong, so that it never looks like a missing key.
   *
   * @param api where the public API is served from; the management port, whose context is a child
   *     of it and sees its routes too, answers in Spring's way
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
