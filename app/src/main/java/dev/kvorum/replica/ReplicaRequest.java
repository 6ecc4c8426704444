package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.TraceContext;
import org.jspecify.annotations.Nullable;

/** What one node may ask of another; what repair asks stands in {@link SyncRequest}. */
public sealed interface ReplicaRequest
    permits ReplicaRequest.Read,
        ReplicaRequest.Write,
        ReplicaRequest.PullHints,
        ReplicaRequest.Scan,
        ReplicaRequest.Traced,
        SyncRequest,
        TransferRequest {
  /** Look a record up; answered by {@link ReplicaReply.ReadReply}. */
  record Read(Key key, Detail detail) implements ReplicaRequest {}

  /** Keep a mutation; answered by {@link ReplicaReply.WriteReply}. */
  record Write(Mutation mutation) implements ReplicaRequest {}

  /**
   * Deliver some of the hints kept for the asking member; answered by {@link
   * ReplicaReply.HintsDelivered}.
   */
  record PullHints(MemberId target) implements ReplicaRequest {}

  /** Read a page of a range, complete records; answered by {@link ReplicaReply.Page}. */
  record Scan(KeyRange range, ScanLimits limits) implements ReplicaRequest {}

  /**
   * Do this as a part of a sampled trace; answered as the request inside is.
   *
   * @param parent span of the requester
   * @param request any but another one of these
   */
  record Traced(TraceContext parent, ReplicaRequest request) implements ReplicaRequest {
    public Traced {
      if (!parent.sampled() || request instanceof Traced) {
        throw new IllegalArgumentException("it is not sampled, or wrapped twice");
      }
    }

    @Override
    public ReplicaRequest untraced() {
      return request;
    }
  }

  /** The request without the trace that it may be a part of. */
  default ReplicaRequest untraced() {
    return this;
  }

  /** The request as a part of a trace, if there is one that is sampled. */
  default ReplicaRequest within(@Nullable TraceContext trace) {
    return trace == null || !trace.sampled() ? this : new Traced(trace, untraced());
  }
}
