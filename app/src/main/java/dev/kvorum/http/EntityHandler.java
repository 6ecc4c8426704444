package dev.kvorum.http;

import dev.kvorum.coordinator.Change;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReadOutcome;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.RecordKind;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.TypedValue;
import dev.kvorum.deadlines.DeadlineQueue;
import dev.kvorum.http.AdmissionControl.Permit;
import dev.kvorum.http.connection.WriteStallHandler;
import dev.kvorum.http.problem.BadRequestException;
import dev.kvorum.http.problem.Problems;
import dev.kvorum.http.request.BodyReader;
import dev.kvorum.http.request.EntityQuery;
import dev.kvorum.http.request.MediaType;
import dev.kvorum.http.request.Preconditions;
import dev.kvorum.metrics.Operation;
import dev.kvorum.topology.Feature;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.FastThreadLocal;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** Handles requests for one key. */
public final class EntityHandler {
  private static final byte[] NO_BODY = new byte[0];

  /** Memory of a write in bytes besides its value. */
  private static final int WRITE_OVERHEAD_BYTES = 1024;

  /** Size in bytes from which a value may not fit into a socket's buffer at once. */
  private static final int SLOW_TO_SEND_BYTES = 64 << 10;

  private final ServingNode node;
  private final AccessControl access;
  private final AdmissionControl admission;
  private final HttpSettings settings;
  private final RequestLog requestLog;
  private final FastThreadLocal<DeadlineQueue> deadlines = new FastThreadLocal<>();

  /** Creates a handler for all event loops. */
  public EntityHandler(
      ServingNode node,
      AccessControl access,
      AdmissionControl admission,
      HttpSettings settings,
      RequestLog requestLog) {
    this.node = node;
    this.access = access;
    this.admission = admission;
    this.settings = settings;
    this.requestLog = requestLog;
  }

  Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
    Operation operation = operation(request.method());
    Exchange exchange = requestLog.begin(operation, request, response);
    return exchange.measured(respond(exchange));
  }

  private static Operation operation(HttpMethod method) {
    return switch (method.name()) {
      case "GET" -> Operation.GET;
      case "HEAD" -> Operation.HEAD;
      case "PUT" -> Operation.PUT;
      case "DELETE" -> Operation.DELETE;
      default -> Operation.OTHER;
    };
  }

  private Publisher<Void> respond(Exchange exchange) {
    try {
      if (exchange.operation() == Operation.OTHER) {
        exchange.response().header(HttpHeaderNames.ALLOW, "GET, HEAD, PUT, DELETE");
        return Responses.problem(exchange, Problems.METHOD_NOT_ALLOWED);
      }
      EntityQuery query = EntityQuery.parse(exchange.request().uri());
      Publisher<Void> rejection = access.rejection(exchange, query.key(), this::respond);
      if (rejection != null) {
        return rejection;
      }
      return switch (exchange.operation()) {
        case PUT -> put(exchange, query);
        case DELETE -> delete(exchange, query);
        default -> get(exchange, query);
      };
    } catch (BadRequestException mistake) {
      return Responses.problem(exchange, Problems.badRequest(mistake));
    }
  }

  private Publisher<Void> get(Exchange exchange, EntityQuery query) throws BadRequestException {
    query.rejectTtl();
    Quorum quorum = quorum(exchange, query);
    Permit permit = admission.read(exchange.bytes());
    if (permit == null) {
      return shed(exchange);
    }
    exchange.taken(permit);
    return node.coordinator()
        .read(query.key(), quorum, exchange.span().context(), permit)
        .flatMap(outcome -> {
          permit.served();
          if (permit.heapBytes() > SLOW_TO_SEND_BYTES) {
            releaseOnceSent(exchange.response(), permit, settings.stallTimeout());
          }
          return Mono.from(respond(exchange, outcome));
        })
        .onErrorResume(failure -> failed(exchange, failure));
  }

  /** Counts a large value as memory in use until the client has read it, or has stalled. */
  private static void releaseOnceSent(HttpServerResponse response, Permit permit, Duration stall) {
    permit.handOver();
    response.withConnection(connection -> {
      connection
          .onTerminate()
          .subscribe(nothing -> {}, failure -> permit.release(), permit::release);
      WriteStallHandler.watch(connection, stall);
    });
  }

  private Publisher<Void> respond(Exchange exchange, ReadOutcome outcome) {
    return switch (outcome) {
      case ReadOutcome.Found found -> Responses.found(exchange, found.record());
      case ReadOutcome.NotFound absent -> Responses.problem(exchange, Problems.NOT_FOUND);
      case ReadOutcome.Rejected over when exchange.bytes().isRejected() ->
          access.overBytes(exchange);
      case ReadOutcome.Rejected rejected -> Responses.rejected(exchange, rejected.reason());
      case ReadOutcome.NoQuorum none ->
          Responses.problem(exchange, Problems.noQuorum(none.quorum(), none.replies(), false));
    };
  }

  private Publisher<Void> put(Exchange exchange, EntityQuery query) throws BadRequestException {
    Preconditions.reject(exchange.request().requestHeaders());
    Quorum quorum = quorum(exchange, query);
    HttpServerRequest request = exchange.request();
    HttpHeaders headers = request.requestHeaders();
    String contentLength = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    long length = contentLength == null ? -1 : Long.parseLong(contentLength);
    boolean empty = length < 0 && !headers.contains(HttpHeaderNames.TRANSFER_ENCODING);
    if (length > settings.valueBytesMax()) {
      return tooLarge(exchange, headers, length);
    }
    long bytes = (length < 0 && !empty ? settings.valueBytesMax() : Math.max(0, length));
    String type = node.isActive(Feature.CONTENT_TYPE) ? MediaType.of(headers) : "";
    byte[] head = type.isEmpty() ? NO_BODY : TypedValue.head(type);
    Permit permit = admission.write(bytes + WRITE_OVERHEAD_BYTES, exchange.bytes());
    if (permit == null) {
      return shed(exchange);
    }
    exchange.taken(permit);
    if (empty || length == 0) {
      return write(exchange, query, quorum, put(query, head, head), permit, 201);
    }
    return BodyReader.read(
            request.receive(),
            head,
            length,
            settings.valueBytesMax(),
            settings.discardBytesMax(),
            deadlines(exchange))
        .flatMap(body ->
            body.isTooLarge()
                ? Mono.from(tooLarge(exchange, headers, body.droppedBytes()))
                : write(exchange, query, quorum, put(query, head, body.bytes()), permit, 201))
        .onErrorResume(failure -> failed(exchange, failure));
  }

  private static Change put(EntityQuery query, byte[] head, byte[] value) {
    long ttlMillis = query.ttlMillis() == null ? 0 : query.ttlMillis();
    RecordKind kind = head.length == 0 ? RecordKind.VALUE : RecordKind.TYPED_VALUE;
    return new Change.Put(value, ttlMillis, kind);
  }

  /** Those of this event loop. */
  private DeadlineQueue deadlines(Exchange exchange) {
    DeadlineQueue known = deadlines.getIfExists();
    if (known != null) {
      return known;
    }
    EventLoop loop = exchange.channel().eventLoop();
    DeadlineQueue made =
        new DeadlineQueue(settings.bodyTimeout().toNanos(), System::nanoTime, loop::schedule);
    deadlines.set(made);
    return made;
  }

  private Publisher<Void> tooLarge(Exchange exchange, HttpHeaders headers, long excess) {
    // The rest of the body is dropped as it arrives and the connection stays open. The connection
    // closes if the rest is too long, or if the client waits for 100 Continue before it sends the
    // body.
    if (excess > settings.discardBytesMax() || headers.contains(HttpHeaderNames.EXPECT)) {
      exchange.response().keepAlive(false);
    }
    return Responses.problem(exchange, Problems.tooLarge(settings.valueBytesMax()));
  }

  private Publisher<Void> shed(Exchange exchange) {
    return exchange.bytes().isRejected()
        ? access.overBytes(exchange)
        : Responses.shed(exchange, admission.isClosed());
  }

  private Publisher<Void> delete(Exchange exchange, EntityQuery query) throws BadRequestException {
    query.rejectTtl();
    Preconditions.reject(exchange.request().requestHeaders());
    Quorum quorum = quorum(exchange, query);
    Permit permit = admission.write(WRITE_OVERHEAD_BYTES, exchange.bytes());
    if (permit == null) {
      return shed(exchange);
    }
    exchange.taken(permit);
    return write(exchange, query, quorum, new Change.Delete(), permit, 202);
  }

  private Mono<Void> write(
      Exchange exchange, EntityQuery query, Quorum quorum, Change change, Permit permit, int code) {
    if (!permit.begin()) {
      return Mono.from(shed(exchange));
    }
    permit.handOver();
    return node.coordinator()
        .write(query.key(), quorum, change, exchange.span().context(), permit::release)
        .flatMap(outcome -> {
          permit.served();
          return Mono.from(respond(exchange, outcome, code));
        })
        .onErrorResume(failure -> failed(exchange, failure));
  }

  private Publisher<Void> respond(Exchange exchange, WriteOutcome outcome, int success) {
    return switch (outcome) {
      case WriteOutcome.Acknowledged done -> Responses.stored(exchange, success, done.version());
      case WriteOutcome.Indeterminate none ->
          Responses.problem(exchange, Problems.noQuorum(none.quorum(), none.replies(), true));
      case WriteOutcome.Rejected(RejectReason reason) when reason == RejectReason.DISK_FULL ->
          Responses.problem(
              exchange, Problems.diskFull(node.diskFreeBytes(), settings.diskFreeBytesMin()));
      case WriteOutcome.Rejected rejected -> Responses.rejected(exchange, rejected.reason());
    };
  }

  private Quorum quorum(Exchange exchange, EntityQuery query) throws BadRequestException {
    Quorum quorum = query.quorum(settings.replication(), node.fromMax());
    exchange.span().attribute("kvorum.ack", quorum.ack()).attribute("kvorum.from", quorum.from());
    return quorum;
  }

  private static Mono<Void> failed(Exchange exchange, Throwable failure) {
    HttpServerResponse response = exchange.response();
    if (failure instanceof TimeoutException && !response.hasSentHeaders()) {
      response.keepAlive(false);
      return Mono.from(Responses.problem(exchange, Problems.BODY_TIMED_OUT));
    }
    return Responses.failed(exchange, failure, "A request failed");
  }
}
