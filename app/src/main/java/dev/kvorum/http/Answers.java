package dev.kvorum.http;

import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.stream.Stream;
import org.reactivestreams.Publisher;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** Writes answers to Reactor Netty's response. */
final class Answers {
  private static final String RETRY_AFTER_SECONDS = "1";

  private Answers() {}

  static Publisher<Void> stored(HttpServerResponse response, int status, Version version) {
    return response
        .status(HttpResponseStatus.valueOf(status))
        .header(HttpHeaderNames.ETAG, etag(version))
        .send();
  }

  static Publisher<Void> found(
      HttpServerRequest request, HttpServerResponse response, Versioned record) {
    String etag = etag(record.version());
    response.header(HttpHeaderNames.ETAG, etag);
    String known = request.requestHeaders().get(HttpHeaderNames.IF_NONE_MATCH);
    if (known != null && matches(known, etag)) {
      return response.status(HttpResponseStatus.NOT_MODIFIED).send();
    }
    response.header(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_OCTET_STREAM);
    if (request.method().equals(HttpMethod.HEAD)) {
      response.header(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(record.value().length));
      return response.send();
    }
    return response.sendObject(Unpooled.wrappedBuffer(record.value()));
  }

  static Publisher<Void> problem(HttpServerResponse response, Problem problem) {
    return response
        .status(problem.status())
        .header(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
        // An answer to HEAD that does not say how long it would be costs its client the connection.
        .header(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(problem.json().length))
        .sendObject(Unpooled.wrappedBuffer(problem.json()));
  }

  static Publisher<Void> overloaded(HttpServerResponse response) {
    return rejected(response, Refusal.OVERLOADED);
  }

  static Publisher<Void> rejected(HttpServerResponse response, Refusal reason) {
    Problem problem = Outcomes.rejected(reason);
    if (problem.status().equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
      response.header(HttpHeaderNames.RETRY_AFTER, RETRY_AFTER_SECONDS);
    }
    return problem(response, problem);
  }

  private static String etag(Version version) {
    return '"' + version.toString() + '"';
  }

  /** Whether an {@code If-None-Match} list names this tag; weak tags count (RFC 9110, 13.1.2). */
  private static boolean matches(String list, String etag) {
    return Stream.of(list.split(",", -1))
        .map(String::strip)
        .anyMatch(tag -> tag.equals("*") || tag.equals(etag) || tag.equals("W/" + etag));
  }
}
