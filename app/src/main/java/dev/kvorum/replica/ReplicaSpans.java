package dev.kvorum.replica;

import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.Span;
import dev.kvorum.tracing.SpanKind;
import dev.kvorum.tracing.Tracer;

/**
 * Creates the spans of requests between nodes, on both sides. A span is called, for example, {@code
 * Replica/Read}; its attributes are the peer and the outcome, with the labels of the API's problem
 * details.
 */
final class ReplicaSpans {
  private static final String SERVICE = "Replica";
  private static final String OUTCOME = "kvorum.outcome";

  private ReplicaSpans() {}

  /** Starts the span of a call to a peer, within the trace of the request. */
  static Span asked(LocalReplica local, ReplicaRequest request, MemberId peer) {
    if (!(request instanceof ReplicaRequest.Traced traced)) {
      return Span.NONE;
    }
    return begin(local.tracer(), SpanKind.CLIENT, traced).attribute("kvorum.peer", peer.name());
  }

  /** Starts the span of a peer's request, within the peer's trace. */
  static Span served(Tracer tracer, ReplicaRequest.Traced traced) {
    return begin(tracer, SpanKind.SERVER, traced);
  }

  private static Span begin(Tracer tracer, SpanKind kind, ReplicaRequest.Traced traced) {
    String method = traced.request().getClass().getSimpleName();
    return tracer
        .begin(kind, SERVICE + '/' + method, traced.parent())
        .attribute("rpc.system", "kvorum")
        .attribute("rpc.service", SERVICE)
        .attribute("rpc.method", method);
  }

  /** The request to send: a child of the call's span, if that is recorded. */
  static ReplicaRequest within(Span span, ReplicaRequest request) {
    return span.isRecording() ? request.within(span.context()) : request;
  }

  /** Ends a span with the outcome of the reply. */
  static void end(Span span, ReplicaReply reply) {
    if (span.isRecording()) {
      String outcome = outcome(reply);
      if (isFailure(reply)) {
        span.failed(outcome);
      }
      span.attribute(OUTCOME, outcome).end();
    }
  }

  /** Ends the span of a call whose reply is no longer needed. */
  static void cancelled(Span span) {
    if (span.isRecording()) {
      span.attribute(OUTCOME, "cancelled").end();
    }
  }

  private static String outcome(ReplicaReply reply) {
    return switch (reply) {
      case ReplicaReply.ReadReply looked ->
          switch (looked.lookup()) {
            case ReadResult.Found _, ReadResult.FoundVersion _ -> "found";
            case ReadResult.Absent _ -> "absent";
            case ReadResult.Unknown unknown -> unknown.reason().label();
          };
      case ReplicaReply.WriteReply wrote ->
          switch (wrote.applied()) {
            case WriteResult.Stored _ -> "stored";
            case WriteResult.Superseded _ -> "superseded";
            case WriteResult.Rejected rejected -> rejected.reason().label();
          };
      case ReplicaReply.Failed failed -> failed.reason().label();
      case ReplicaReply.HintsDelivered _, ReplicaReply.Page _, RepairReply _, TransferReply _ ->
          "replied";
    };
  }

  private static boolean isFailure(ReplicaReply reply) {
    return switch (reply) {
      case ReplicaReply.ReadReply looked -> looked.lookup() instanceof ReadResult.Unknown;
      case ReplicaReply.WriteReply wrote -> wrote.applied() instanceof WriteResult.Rejected;
      case ReplicaReply.Failed _ -> true;
      case ReplicaReply.HintsDelivered _, ReplicaReply.Page _, RepairReply _, TransferReply _ ->
          false;
    };
  }
}
