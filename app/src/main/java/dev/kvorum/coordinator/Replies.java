package dev.kvorum.coordinator;

import dev.kvorum.data.Refusal;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Lookup;

/** What replicas' replies say to a read or a write; one that fits neither says nothing. */
final class Replies {
  private Replies() {}

  static Lookup lookup(ReplicaReply reply) {
    return switch (reply) {
      case ReplicaReply.Looked looked -> looked.lookup();
      case ReplicaReply.Failed failed -> new Lookup.Unknown(failed.reason());
      case ReplicaReply.Wrote _,
          ReplicaReply.HintsDelivered _,
          ReplicaReply.Page _,
          SyncReply _,
          TransferReply _ ->
          new Lookup.Unknown(Refusal.STORAGE_FAILED);
    };
  }

  static Applied applied(ReplicaReply reply) {
    return switch (reply) {
      case ReplicaReply.Wrote wrote -> wrote.applied();
      case ReplicaReply.Failed failed -> new Applied.Refused(failed.reason());
      case ReplicaReply.Looked _,
          ReplicaReply.HintsDelivered _,
          ReplicaReply.Page _,
          SyncReply _,
          TransferReply _ ->
          new Applied.Refused(Refusal.STORAGE_FAILED);
    };
  }
}
