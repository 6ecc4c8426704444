package dev.kvorum.http;

import dev.kvorum.http.request.EntityQuery;
import dev.kvorum.http.request.RangeParameters;
import dev.kvorum.metrics.Operation;
import dev.kvorum.metrics.RequestMeters;
import dev.kvorum.tracing.Span;
import dev.kvorum.tracing.SpanKind;
import dev.kvorum.tracing.TraceContext;
import dev.kvorum.tracing.Tracer;
import io.netty.util.AsciiString;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Creates the spans of clients' requests, with the names and attributes of OpenTelemetry's HTTP
 * conventions. The query is left out, since keys and values are clients' data.
 */
final class RequestSpans {
  private static final AsciiString HEADER = AsciiString.cached(TraceContext.HEADER);

  private RequestSpans() {}

  static Span begin(Tracer tracer, Operation operation, HttpServerRequest request) {
    TraceContext parent = TraceContext.parse(request.requestHeaders().get(HEADER));
    String method = method(operation, request);
    Span span = tracer.begin(SpanKind.SERVER, name(operation, method), parent);
    if (span.isRecording()) {
      String path =
          switch (operation) {
            case RANGE -> RangeParameters.PATH;
            case EXPLAIN -> EntityQuery.EXPLAIN_PATH;
            case GET, HEAD, PUT, DELETE, OTHER -> EntityQuery.PATH;
          };
      span.attribute("http.request.method", method)
          .attribute("http.route", path)
          .attribute("url.path", path)
          .attribute("url.scheme", "http");
    }
    return span;
  }

  /** The method as a label with a bounded number of values. */
  private static String method(Operation operation, HttpServerRequest request) {
    return switch (operation) {
      case GET -> "GET";
      case HEAD -> "HEAD";
      case PUT -> "PUT";
      case DELETE -> "DELETE";
      case OTHER -> "_OTHER";
      case RANGE, EXPLAIN ->
          switch (request.method().name()) {
            case "GET" -> "GET";
            case "HEAD" -> "HEAD";
            default -> "_OTHER";
          };
    };
  }

  // Constants only, since most requests are not traced.
  private static String name(Operation operation, String method) {
    return switch (operation) {
      case GET -> "GET " + EntityQuery.PATH;
      case HEAD -> "HEAD " + EntityQuery.PATH;
      case PUT -> "PUT " + EntityQuery.PATH;
      case DELETE -> "DELETE " + EntityQuery.PATH;
      case OTHER -> "HTTP " + EntityQuery.PATH;
      case RANGE ->
          switch (method) {
            case "GET" -> "GET " + RangeParameters.PATH;
            case "HEAD" -> "HEAD " + RangeParameters.PATH;
            default -> "HTTP " + RangeParameters.PATH;
          };
      case EXPLAIN -> method + " " + EntityQuery.EXPLAIN_PATH;
    };
  }

  static void end(Exchange exchange) {
    Span span = exchange.span();
    if (!span.isRecording()) {
      return;
    }
    HttpServerResponse response = exchange.response();
    int status = response.status().code();
    span.attribute("kvorum.outcome", exchange.outcome());
    if (response.hasSentHeaders()) {
      span.attribute("http.response.status_code", status);
    }
    if (status >= 500 && !exchange.outcome().equals(RequestMeters.CANCELLED)) {
      span.failed(exchange.outcome());
    }
    span.end();
  }
}
