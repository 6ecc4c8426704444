package dev.kvorum.replica;

import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.Span;
import dev.kvorum.tracing.SpanKind;
import dev.kvorum.tracing.Tracer;

/**
 * The spans of what one node asks of another, as either of them sees it: {@code Replica/Read}, for
 * example, with the peer and with what came of it, in the words of the API's problem details.
 */
final class ReplicaSpans {
  private static final String SERVICE = "Replica";
  private static final String OUTCOME = "kvorum.outcome";

  private ReplicaSpans() {}

  /** A call to a peer, as a part of the trace that the request belongs to. */
  static Span asked(LocalReplica local, ReplicaRequest request, MemberId peer) {
    if (!(request instanceof ReplicaRequest.Traced traced)) {
      return Span.NONE;
    }
    return begin(local.tracer(), SpanKind.CLIENT, traced).attribute("kvorum.peer", peer.name());
  }

  /** A request of a peer, as a part of the peer's trace. */
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

  /** What goes to the peer: the request as a child of the call's span, if that is recorded. */
  static ReplicaRequest within(Span span, ReplicaRequest request) {
    return span.isRecording() ? request.within(span.context()) : request;
  }

  /** Ends a span with what was answered. */
  static void end(Span span, ReplicaReply reply) {
    if (span.isRecording()) {
      String outcome = outcome(reply);
      if (isFailure(reply)) {
        span.failed(outcome);
      }
      span.attribute(OUTCOME, outcome).end();
    }
  }

  /** Ends the span of a call whose answer is not needed any more. */
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
            case WriteResult.Refused refused -> refused.reason().label();
          };
      case ReplicaReply.Failed failed -> failed.reason().label();
      case ReplicaReply.HintsDelivered _, ReplicaReply.Page _, SyncReply _, TransferReply _ ->
          "answered";
    };
  }

  private static boolean isFailure(ReplicaReply reply) {
    return switch (reply) {
      case ReplicaReply.ReadReply looked -> looked.lookup() instanceof ReadResult.Unknown;
      case ReplicaReply.WriteReply wrote -> wrote.applied() instanceof WriteResult.Refused;
      case ReplicaReply.Failed _ -> true;
      case ReplicaReply.HintsDelivered _, ReplicaReply.Page _, SyncReply _, TransferReply _ ->
          false;
    };
  }
}
