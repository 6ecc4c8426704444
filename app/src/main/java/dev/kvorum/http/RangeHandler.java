package dev.kvorum.http;

import dev.kvorum.auth.RequestBytes;
import dev.kvorum.coordinator.RangePart;
import dev.kvorum.coordinator.RangeQuery;
import dev.kvorum.coordinator.RangeSettings;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.RejectReason;
import dev.kvorum.http.RangeStreamLimiter.Place;
import dev.kvorum.http.problem.BadRequestException;
import dev.kvorum.http.problem.Problems;
import dev.kvorum.http.request.AcceptHeader;
import dev.kvorum.http.request.RangeParameters;
import dev.kvorum.metrics.Meters;
import dev.kvorum.metrics.Operation;
import dev.kvorum.topology.Feature;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** Handles requests for ranges of keys. */
public final class RangeHandler {
  private static final String LISTED = "listed";
  private static final String VARY = "Accept, Accept-Encoding";

  private final ServingNode node;
  private final AccessControl access;
  private final RangeSettings settings;
  private final RangeStreamLimiter places;
  private final RequestLog requestLog;
  private final Meters meters;

  /** Counts the records of a range. */
  private static final class RangeCount {
    private long records;
    private RangePart.@Nullable Incomplete incomplete;

    void add(RangePart part) {
      switch (part) {
        case RangePart.Records more -> records += more.records().size();
        case RangePart.Incomplete end -> incomplete = end;
      }
    }

    /** Sends the number, or the reason why there is none. */
    Publisher<Void> send(Exchange exchange, String outcome) {
      return incomplete == null
          ? Responses.json(exchange, outcome, Map.of("count", records))
          : Responses.problem(exchange, Problems.incomplete(incomplete.replies()));
    }
  }

  /** Creates a handler for all event loops. */
  public RangeHandler(
      ServingNode node,
      AccessControl access,
      RangeSettings settings,
      RangeStreamLimiter places,
      RequestLog requestLog,
      Meters meters) {
    this.node = node;
    this.access = access;
    this.settings = settings;
    this.places = places;
    this.requestLog = requestLog;
    this.meters = meters;
  }

  Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
    Exchange exchange = requestLog.begin(Operation.RANGE, request, response);
    return exchange.measured(respond(exchange));
  }

  private Publisher<Void> respond(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    if (!exchange.isRead()) {
      return Responses.readOnly(exchange);
    }
    try {
      RangeParameters parameters = RangeParameters.parse(request.uri());
      Publisher<Void> rejection =
          access.rejection(exchange, parameters.query().keys(), this::respond);
      if (rejection != null) {
        return rejection;
      }
      Optional<RangeFormat> format = RangeFormat.wanted(parameters, request.requestHeaders());
      if (format.isEmpty() && !parameters.count()) {
        return Responses.problem(exchange, Problems.NOT_ACCEPTABLE);
      }
      if (parameters.query().order() == KeyOrder.DESCENDING
          && !node.isActive(Feature.REVERSE_SCAN)) {
        return Responses.problem(exchange, Problems.REVERSE_NOT_ACTIVE);
      }
      if (request.method().equals(HttpMethod.HEAD)) {
        return headersAlone(exchange, parameters, format);
      }
      if (node.coordinator().isFenced()) {
        return Responses.rejected(exchange, RejectReason.FENCED);
      }
      RequestBytes bytes = exchange.bytes();
      if (!bytes.take(settings.bytesHeldMax(node.fromMax()))) {
        return access.overBytes(exchange);
      }
      Place place = places.take();
      if (place == null) {
        bytes.release();
        return shed(exchange);
      }
      Function<Flux<RangePart>, Publisher<Void>> respond =
          parameters.count()
              ? parts -> count(exchange, parts)
              : parts -> stream(exchange, parts, format.orElseThrow(), parameters.values());
      return get(exchange, parameters.query(), respond)
          .doFinally(signal -> {
            place.free();
            bytes.release();
          });
    } catch (BadRequestException mistake) {
      return Responses.problem(exchange, Problems.badRequest(mistake));
    }
  }

  private Publisher<Void> shed(Exchange exchange) {
    boolean isStopping = places.isClosed();
    if (!isStopping) {
      meters.rangeShed();
    }
    return Responses.shed(exchange, isStopping);
  }

  private static Publisher<Void> headersAlone(
      Exchange exchange, RangeParameters parameters, Optional<RangeFormat> format) {
    if (parameters.count()) {
      countHeaders(exchange);
    } else {
      headers(exchange, format.orElseThrow());
    }
    exchange.outcome(LISTED);
    return exchange.response().send();
  }

  private Flux<Void> get(
      Exchange exchange, RangeQuery query, Function<Flux<RangePart>, Publisher<Void>> respond) {
    return node.coordinator()
        .range(query, settings)
        .switchOnFirst((first, parts) ->
            first.get() instanceof RangePart.Incomplete incomplete
                ? parts.then(
                    Mono.from(
                        Responses.problem(exchange, Problems.incomplete(incomplete.replies()))))
                : respond.apply(parts))
        .onErrorResume(failure -> Responses.failed(exchange, failure, "A range failed"))
        .takeUntilOther(gone(exchange.response()));
  }

  /**
   * Completes when the connection closes, from either side. An incomplete stream closes it itself.
   */
  private static Mono<Void> gone(HttpServerResponse response) {
    return Mono.create(sink ->
        response.withConnection(connection -> {
          ChannelFuture closing = connection.channel().closeFuture();
          ChannelFutureListener listener = closed -> sink.success();
          closing.addListener(listener);
          sink.onDispose(() -> closing.removeListener(listener));
        }));
  }

  /** The number of records, once all have been read, or the reason why they could not be. */
  private static Mono<Void> count(Exchange exchange, Flux<RangePart> parts) {
    countHeaders(exchange);
    return parts
        .collect(RangeCount::new, RangeCount::add)
        .flatMap(count -> Mono.from(count.send(exchange, LISTED)));
  }

  private Mono<Void> stream(
      Exchange exchange, Flux<RangePart> parts, RangeFormat format, boolean values) {
    HttpServerResponse response = exchange.response();
    headers(exchange, format);
    AtomicReference<Channel> channel = new AtomicReference<>();
    response.withConnection(connection -> channel.set(connection.channel()));
    RangeStream stream =
        new RangeStream(
            channel.get(),
            format,
            values,
            isCompressed(exchange.request(), format) ? new Gzip() : null,
            settings.idleTimeout(),
            exchange);
    return response
        .sendHeaders()
        .then()
        .then(Mono.defer(() -> stream.send(parts)))
        .doOnSuccess(nothing -> exchange.outcome(LISTED))
        .doFinally(signal -> stream.close());
  }

  private static boolean isCompressed(HttpServerRequest request, RangeFormat format) {
    return format.isCompressible() && AcceptHeader.wantsGzip(request.requestHeaders());
  }

  private static void countHeaders(Exchange exchange) {
    exchange
        .response()
        .header(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
        .header(HttpHeaderNames.VARY, VARY);
  }

  private static void headers(Exchange exchange, RangeFormat format) {
    HttpServerRequest request = exchange.request();
    HttpServerResponse response = exchange.response();
    response
        .header(HttpHeaderNames.CONTENT_TYPE, format.mediaType())
        .header(HttpHeaderNames.VARY, VARY);
    if (isCompressed(request, format)) {
      response.header(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
    }
    if (request.version().equals(HttpVersion.HTTP_1_0)) {
      response.chunkedTransfer(false).keepAlive(false);
    }
  }
}
