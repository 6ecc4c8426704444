package dev.kvorum.coordinator;

import dev.kvorum.data.RejectReason;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;

/** Maps replicas' replies to results of a read or a write; ignores replies of other types. */
final class ReplyMapper {
  private ReplyMapper() {}

  static ReadResult lookup(ReplicaReply reply) {
    return switch (reply) {
      case ReplicaReply.ReadReply looked -> looked.lookup();
      case ReplicaReply.Failed failed -> new ReadResult.Unknown(failed.reason());
      case ReplicaReply.WriteReply _,
          ReplicaReply.HintsDelivered _,
          ReplicaReply.Page _,
          RepairReply _,
          TransferReply _ ->
          new ReadResult.Unknown(RejectReason.STORAGE_FAILED);
    };
  }

  static WriteResult applied(ReplicaReply reply) {
    return switch (reply) {
      case ReplicaReply.WriteReply wrote -> wrote.applied();
      case ReplicaReply.Failed failed -> new WriteResult.Rejected(failed.reason());
      case ReplicaReply.ReadReply _,
          ReplicaReply.HintsDelivered _,
          ReplicaReply.Page _,
          RepairReply _,
          TransferReply _ ->
          new WriteResult.Rejected(RejectReason.STORAGE_FAILED);
    };
  }
}
