package dev.kvorum.http;

import dev.kvorum.coordinator.Quorum;
import dev.kvorum.data.RejectReason;
import dev.kvorum.http.AdmissionControl.Permit;
import dev.kvorum.http.problem.BadRequestException;
import dev.kvorum.http.problem.Problems;
import dev.kvorum.http.request.EntityQuery;
import dev.kvorum.metrics.Operation;
import dev.kvorum.topology.MemberId;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** Handles requests that explain a key: what its replicas have, and how a read is answered. */
public final class ExplainHandler {
  private static final String EXPLAINED = "explained";

  private final ServingNode node;
  private final AccessControl access;
  private final AdmissionControl admission;
  private final HttpSettings settings;
  private final RequestLog requestLog;
  private final Function<MemberId, Optional<Instant>> comparedWith;

  /**
   * Creates a handler for all event loops.
   *
   * @param comparedWith returns when this node last had all records that a peer had
   */
  public ExplainHandler(
      ServingNode node,
      AccessControl access,
      AdmissionControl admission,
      HttpSettings settings,
      RequestLog requestLog,
      Function<MemberId, Optional<Instant>> comparedWith) {
    this.node = node;
    this.access = access;
    this.admission = admission;
    this.settings = settings;
    this.requestLog = requestLog;
    this.comparedWith = comparedWith;
  }

  Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
    Exchange exchange = requestLog.begin(Operation.EXPLAIN, request, response);
    return exchange.measured(respond(exchange));
  }

  private Publisher<Void> respond(Exchange exchange) {
    if (!exchange.isRead()) {
      return Responses.readOnly(exchange);
    }
    try {
      EntityQuery query = EntityQuery.parse(EntityQuery.EXPLAIN_PATH, exchange.request().uri());
      Publisher<Void> rejection = access.rejection(exchange, query.key(), this::respond);
      if (rejection != null) {
        return rejection;
      }
      query.rejectTtl();
      Quorum quorum = query.quorum(settings.replication(), node.fromMax());
      if (node.coordinator().isFenced()) {
        return Responses.rejected(exchange, RejectReason.FENCED);
      }
      Permit permit = admission.read(exchange.bytes());
      if (permit == null) {
        return exchange.bytes().isRejected()
            ? access.overBytes(exchange)
            : Responses.shed(exchange, admission.isClosed());
      }
      // Never marked as served: the slowest replica's time says nothing about this node's load.
      exchange.taken(permit);
      return node.coordinator()
          .explain(query.key(), quorum, permit)
          .map(report -> Explanation.of(query.key(), report, comparedWith))
          .flatMap(fields -> Mono.from(Responses.json(exchange, EXPLAINED, fields)))
          .onErrorResume(failure -> Responses.failed(exchange, failure, "A request failed"));
    } catch (BadRequestException mistake) {
      return Responses.problem(exchange, Problems.badRequest(mistake));
    }
  }
}
