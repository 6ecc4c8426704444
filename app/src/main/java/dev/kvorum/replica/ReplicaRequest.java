package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.TraceContext;
import org.jspecify.annotations.Nullable;

/** A request from one node to another; requests of repair are in {@link RepairRequest}. */
public sealed interface ReplicaRequest
    permits ReplicaRequest.Read,
        ReplicaRequest.Write,
        ReplicaRequest.PullHints,
        ReplicaRequest.Scan,
        ReplicaRequest.Traced,
        RepairRequest,
        TransferRequest {
  /** Reads a record; the reply is {@link ReplicaReply.ReadReply}. */
  record Read(Key key, Detail detail) implements ReplicaRequest {}

  /** Stores a mutation; the reply is {@link ReplicaReply.WriteReply}. */
  record Write(Mutation mutation) implements ReplicaRequest {}

  /**
   * Delivers some of the hints kept for the requester; the reply is {@link
   * ReplicaReply.HintsDelivered}.
   */
  record PullHints(MemberId target) implements ReplicaRequest {}

  /** Reads a page of a range with complete records; the reply is {@link ReplicaReply.Page}. */
  record Scan(KeyRange range, KeyOrder order, ScanLimits limits) implements ReplicaRequest {}

  /**
   * A request within a sampled trace; the reply is that of the request inside.
   *
   * @param parent span of the requester
   * @param request any request except another traced one
   */
  record Traced(TraceContext parent, ReplicaRequest request) implements ReplicaRequest {
    public Traced {
      if (!parent.sampled() || request instanceof Traced) {
        throw new IllegalArgumentException("a trace must be sampled and not nested");
      }
    }

    @Override
    public ReplicaRequest untraced() {
      return request;
    }
  }

  /** The request without its trace, if it has one. */
  default ReplicaRequest untraced() {
    return this;
  }

  /** The request within a trace, if there is one that is sampled. */
  default ReplicaRequest within(@Nullable TraceContext trace) {
    return trace == null || !trace.sampled() ? this : new Traced(trace, untraced());
  }
}
