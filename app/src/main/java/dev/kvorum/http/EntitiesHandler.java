package dev.kvorum.http;

import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.coordinator.RangePart;
import dev.kvorum.coordinator.RangeQuery;
import dev.kvorum.coordinator.RangeSettings;
import dev.kvorum.http.RangePlaces.Place;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
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
  private static final Logger log = LoggerFactory.getLogger(EntitiesHandler.class);

  private final Supplier<Coordinator> coordinator;
  private final RangeSettings settings;
  private final RangePlaces places;
  private final Duration idleTimeout;

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
      Duration idleTimeout) {
    this.coordinator = coordinator;
    this.settings = settings;
    this.places = places;
    this.idleTimeout = idleTimeout;
  }

  Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
    HttpMethod method = request.method();
    if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
      response.header(HttpHeaderNames.ALLOW, "GET, HEAD");
      return Answers.problem(response, Outcomes.RANGES_ARE_READ_ONLY);
    }
    try {
      RangeQuery query = EntitiesQuery.parse(request.uri());
      if (method.equals(HttpMethod.HEAD)) {
        headers(request, response);
        return response.send();
      }
      Place place = places.take();
      return place == null
          ? Answers.overloaded(response)
          : get(request, response, query).doFinally(signal -> place.free());
    } catch (BadRequestException mistake) {
      return Answers.problem(response, Outcomes.badRequest(mistake));
    }
  }

  private Flux<Void> get(HttpServerRequest request, HttpServerResponse response, RangeQuery query) {
    return coordinator
        .get()
        .range(query, settings)
        .switchOnFirst((first, parts) ->
            first.get() instanceof RangePart.Incomplete incomplete
                ? parts.then(
                    Mono.from(Answers.problem(response, Outcomes.incomplete(incomplete.answers()))))
                : stream(request, response, parts))
        .onErrorResume(failure -> failed(response, failure))
        .takeUntilOther(gone(response));
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

  private Mono<Void> stream(
      HttpServerRequest request, HttpServerResponse response, Flux<RangePart> parts) {
    headers(request, response);
    AtomicReference<Channel> channel = new AtomicReference<>();
    response.withConnection(connection -> channel.set(connection.channel()));
    RangeStream stream =
        new RangeStream(
            channel.get(),
            format(request),
            Preferences.wantsGzip(request.requestHeaders()) ? new Gzip() : null,
            idleTimeout);
    return response
        .sendHeaders()
        .then()
        .then(Mono.defer(() -> stream.send(parts)))
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
  }

  private static Mono<Void> failed(HttpServerResponse response, Throwable failure) {
    if (response.hasSentHeaders() || failure instanceof AbortedException) {
      return Mono.error(failure);
    }
    log.error("A range failed", failure);
    return Mono.from(Answers.problem(response, Outcomes.failed()));
  }
}
