package dev.kvorum.http;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.TypedValue;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.http.connection.ClientConnection;
import dev.kvorum.http.problem.JsonLine;
import dev.kvorum.http.problem.Problem;
import dev.kvorum.http.problem.Problems;
import dev.kvorum.http.request.EntityTag;
import dev.kvorum.http.request.Preconditions;
import dev.kvorum.metrics.Operation;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** Writes responses to Reactor Netty. */
final class Responses {
  private static final Logger log = LoggerFactory.getLogger(Responses.class);
  private static final String RETRY_AFTER_SECONDS = "1";
  // Not Expires, by which caches would go.
  private static final AsciiString EXPIRES = AsciiString.cached("kvorum-expires");
  private static final AsciiString CONTENT_TYPE_OPTIONS =
      AsciiString.cached("x-content-type-options");
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private Responses() {}

  static Publisher<Void> stored(Exchange exchange, int status, Version version) {
    exchange.outcome(exchange.operation() == Operation.DELETE ? "deleted" : "stored");
    return exchange
        .response()
        .status(HttpResponseStatus.valueOf(status))
        .header(HttpHeaderNames.ETAG, EntityTag.of(version))
        .send();
  }

  static Publisher<Void> found(Exchange exchange, Versioned record) {
    HttpServerRequest request = exchange.request();
    HttpServerResponse response = exchange.response();
    String etag = EntityTag.of(record.version());
    response.header(HttpHeaderNames.ETAG, etag);
    if (record.expiresAtMillis() != Versioned.NEVER) {
      response.header(EXPIRES, HTTP_DATE.format(Instant.ofEpochMilli(record.expiresAtMillis())));
    }
    if (Preconditions.isNotModified(request.requestHeaders(), etag)) {
      exchange.outcome("not-modified");
      return response.status(HttpResponseStatus.NOT_MODIFIED).send();
    }
    exchange.outcome("found");
    String type = TypedValue.typeOf(record);
    if (type.isEmpty()) {
      response.header(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_OCTET_STREAM);
    } else {
      // A page must not run scripts that call this API in the name of who opened it.
      response
          .header(HttpHeaderNames.CONTENT_TYPE, type)
          .header(HttpHeaderNames.CONTENT_SECURITY_POLICY, "sandbox")
          .header(CONTENT_TYPE_OPTIONS, "nosniff");
    }
    int at = TypedValue.contentAt(record);
    int bytes = TypedValue.contentBytes(record);
    if (request.method().equals(HttpMethod.HEAD)) {
      response.header(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(bytes));
      return response.send();
    }
    return response.sendObject(Unpooled.wrappedBuffer(record.value(), at, bytes));
  }

  /** Sends an object as JSON, to HEAD its headers alone. */
  static Publisher<Void> json(Exchange exchange, String outcome, Object body) {
    exchange.outcome(outcome);
    byte[] json = JsonLine.of(body);
    HttpServerResponse response =
        exchange
            .response()
            .header(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
            .header(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(json.length));
    return exchange.request().method().equals(HttpMethod.HEAD)
        ? response.send()
        : response.sendObject(Unpooled.wrappedBuffer(json));
  }

  static Publisher<Void> problem(Exchange exchange, Problem problem) {
    exchange.outcome(problem.name());
    return problem(exchange.response(), problem);
  }

  static Publisher<Void> problem(HttpServerResponse response, Problem problem) {
    return response
        .status(problem.status())
        .header(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
        // Without a Content-Length, a response to HEAD would close the client's connection.
        .header(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(problem.json().length))
        .sendObject(Unpooled.wrappedBuffer(problem.json()));
  }

  /** Rejects a request with another method than GET and HEAD. */
  static Publisher<Void> readOnly(Exchange exchange) {
    exchange.response().header(HttpHeaderNames.ALLOW, "GET, HEAD");
    return problem(exchange, Problems.READ_ONLY);
  }

  /**
   * Responds to a request that failed unexpectedly, if the response has not begun.
   *
   * @param what text for the log
   */
  static Mono<Void> failed(Exchange exchange, Throwable failure, String what) {
    if (exchange.response().hasSentHeaders() || failure instanceof AbortedException) {
      return Mono.error(failure);
    }
    log.error(what, failure);
    return Mono.from(problem(exchange, Problems.failed()));
  }

  /** Rejects a request that was not admitted. */
  static Publisher<Void> shed(Exchange exchange, boolean isStopping) {
    return isStopping ? stopping(exchange) : rejected(exchange, RejectReason.OVERLOADED);
  }

  /**
   * Rejects a request and closes the connection: a client that kept it would receive only this
   * response.
   */
  private static Publisher<Void> stopping(Exchange exchange) {
    exchange.response().keepAlive(false);
    return unavailable(exchange, Problems.STOPPING);
  }

  static Publisher<Void> rejected(Exchange exchange, RejectReason reason) {
    if (reason == RejectReason.OVERLOADED) {
      ClientConnection.pause(exchange.channel());
    }
    Problem problem = Problems.rejected(reason);
    return problem.status().equals(HttpResponseStatus.SERVICE_UNAVAILABLE)
        ? unavailable(exchange, problem)
        : problem(exchange, problem);
  }

  static Publisher<Void> unavailable(Exchange exchange, Problem problem) {
    exchange.response().header(HttpHeaderNames.RETRY_AFTER, RETRY_AFTER_SECONDS);
    return problem(exchange, problem);
  }

  /** Responds to a request that is not handled. */
  static Publisher<Void> unavailable(HttpServerResponse response, Problem problem) {
    response.header(HttpHeaderNames.RETRY_AFTER, RETRY_AFTER_SECONDS);
    return problem(response, problem);
  }
}
