package dev.kvorum.http;

import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.coordinator.RangePart;
import dev.kvorum.coordinator.RangeQuery;
import dev.kvorum.coordinator.RangeSettings;
import dev.kvorum.data.Refusal;
import dev.kvorum.http.RangePlaces.Place;
import dev.kvorum.metrics.Meters;
import dev.kvorum.metrics.Operation;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** Answers requests for ranges of keys. */
public final class EntitiesHandler {
  private static final Logger LOGGER = LoggerFactory.getLogger(EntitiesHandler.class);
  private static final String LISTED = "listed";

  private final Supplier<Coordinator> coordinator;
  private final RangeSettings settings;
  private final RangePlaces places;
  private final Duration idleTimeout;
  private final RequestLog log;
  private final Meters meters;

  /**
   * A handler for all loops.
   *
   * @param coordinator gives the coordinator of the calling event loop
   * @param idleTimeout how long a client may take nothing before it is cut off
   */
  public EntitiesHandler(
      Supplier<Coordinator> coordinator,
      RangeSettings settings,
      RangePlaces places,
      Duration idleTimeout,
      RequestLog log,
      Meters meters) {
    this.coordinator = coordinator;
    this.settings = settings;
    this.places = places;
    this.idleTimeout = idleTimeout;
    this.log = log;
    this.meters = meters;
  }

  Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
    Exchange exchange = log.begin(Operation.RANGE, request, response);
    return exchange.measured(answer(exchange));
  }

  private Publisher<Void> answer(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    HttpServerResponse response = exchange.response();
    HttpMethod method = request.method();
    if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
      response.header(HttpHeaderNames.ALLOW, "GET, HEAD");
      return Answers.problem(exchange, Outcomes.RANGES_ARE_READ_ONLY);
    }
    try {
      RangeQuery query = EntitiesQuery.parse(request.uri());
      if (method.equals(HttpMethod.HEAD)) {
        headers(request, response);
        exchange.outcome(LISTED);
        return response.send();
      }
      if (coordinator.get().isFenced()) {
        return Answers.rejected(exchange, Refusal.FENCED);
      }
      Place place = places.take();
      if (place == null && places.isClosed()) {
        return Answers.stopping(exchange);
      }
      if (place == null) {
        meters.rangeShed();
        return Answers.overloaded(exchange);
      }
      return get(exchange, query).doFinally(signal -> place.free());
    } catch (BadRequestException mistake) {
      return Answers.problem(exchange, Outcomes.badRequest(mistake));
    }
  }

  private Flux<Void> get(Exchange exchange, RangeQuery query) {
    return coordinator
        .get()
        .range(query, settings)
        .switchOnFirst((first, parts) ->
            first.get() instanceof RangePart.Incomplete incomplete
                ? parts.then(
                    Mono.from(Answers.problem(exchange, Outcomes.incomplete(incomplete.answers()))))
                : stream(exchange, parts))
        .onErrorResume(failure -> failed(exchange, failure))
        .takeUntilOther(gone(exchange.response()));
  }

  /** Ends with the connection, whoever closes it: an incomplete stream does so itself. */
  private static Mono<Void> gone(HttpServerResponse response) {
    return Mono.create(sink ->
        response.withConnection(connection -> {
          ChannelFuture closing = connection.channel().closeFuture();
          ChannelFutureListener listener = closed -> sink.success();
          closing.addListener(listener);
          sink.onDispose(() -> closing.removeListener(listener));
        }));
  }

  private Mono<Void> stream(Exchange exchange, Flux<RangePart> parts) {
    HttpServerRequest request = exchange.request();
    HttpServerResponse response = exchange.response();
    headers(request, response);
    AtomicReference<Channel> channel = new AtomicReference<>();
    response.withConnection(connection -> channel.set(connection.channel()));
    RangeStream stream =
        new RangeStream(
            channel.get(),
            format(request),
            Preferences.wantsGzip(request.requestHeaders()) ? new Gzip() : null,
            idleTimeout,
            exchange);
    return response
        .sendHeaders()
        .then()
        .then(Mono.defer(() -> stream.send(parts)))
        .doOnSuccess(nothing -> exchange.outcome(LISTED))
        .doFinally(signal -> stream.close());
  }

  private static RangeFormat format(HttpServerRequest request) {
    return Preferences.wantsJsonLines(request.requestHeaders())
        ? RangeFormat.JSON_LINES
        : RangeFormat.CHUNKS;
  }

  private static void headers(HttpServerRequest request, HttpServerResponse response) {
    response
        .header(HttpHeaderNames.CONTENT_TYPE, format(request).mediaType())
        .header(HttpHeaderNames.VARY, "Accept, Accept-Encoding");
    if (Preferences.wantsGzip(request.requestHeaders())) {
      response.header(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
    }
    if (request.version().equals(HttpVersion.HTTP_1_0)) {
      response.chunkedTransfer(false).keepAlive(false);
    }
  }

  private static Mono<Void> failed(Exchange exchange, Throwable failure) {
    HttpServerResponse response = exchange.response();
    if (response.hasSentHeaders() || failure instanceof AbortedException) {
      return Mono.error(failure);
    }
    LOGGER.error("A range failed", failure);
    return Mono.from(Answers.problem(exchange, Outcomes.failed()));
  }
}
