package dev.kvorum.rpc;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.RecordKind;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.topology.Feature;
import java.util.stream.Stream;

/** What a release that does not know media types cannot read. */
public final class TypedFrames {
  private TypedFrames() {}

  /** Whether a process has a release that cannot read a request. */
  public static boolean cannotRead(HandshakePolicy handshakes, ReplicaRequest request) {
    return request.untraced() instanceof ReplicaRequest.Write write
        && lacksTypes(handshakes, Stream.of(write.mutation().record()));
  }

  /** Whether a process has a release that cannot read a reply. */
  public static boolean cannotRead(HandshakePolicy handshakes, ReplicaReply reply) {
    return switch (reply) {
      case ReplicaReply.ReadReply read ->
          read.lookup() instanceof ReadResult.Found found
              && lacksTypes(handshakes, Stream.of(found.record()));
      case ReplicaReply.Page page ->
          lacksTypes(handshakes, page.records().stream().map(Mutation::record));
      case TransferReply.Gained gained ->
          lacksTypes(handshakes, gained.records().stream().map(Mutation::record));
      default -> false;
    };
  }

  private static boolean lacksTypes(HandshakePolicy handshakes, Stream<Versioned> records) {
    return !handshakes.self().release().features().contains(Feature.CONTENT_TYPE)
        && records.anyMatch(record -> record.kind() == RecordKind.TYPED_VALUE);
  }
}
