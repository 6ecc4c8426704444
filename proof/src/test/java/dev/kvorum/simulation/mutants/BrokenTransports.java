package dev.kvorum.simulation.mutants;

import dev.kvorum.data.Version;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Transports that are wrong on purpose. */
final class BrokenTransports {
  private BrokenTransports() {}

  static Transport doesNotWaitForReadRepair(MemberId self, Transport transport) {
    return answersItself(
        transport,
        request ->
            request instanceof ReplicaRequest.Write write
                    && !isGivenBy(self, write.mutation().record().version())
                ? Optional.of(new ReplicaReply.WriteReply(WriteResult.Stored.STORED))
                : Optional.empty());
  }

  /** Answers the requests for which there is a reply; the others are sent. */
  private static Transport answersItself(
      Transport transport, Function<ReplicaRequest, Optional<ReplicaReply>> reply) {
    return new WrappedTransport(transport) {
      @Override
      public Call ask(
          MemberId to,
          ReplicaRequest request,
          long epoch,
          long timeoutMillis,
          Waiter<ReplicaReply> waiter) {
        Optional<ReplicaReply> own = reply.apply(request);
        if (own.isPresent()) {
          waiter.reply(own.get());
          return Call.DONE;
        }
        return inner.ask(to, request, epoch, timeoutMillis, waiter);
      }
    };
  }

  /** Incarnations count disks here, and those of a run are few. */
  private static boolean isGivenBy(MemberId member, Version version) {
    return IntStream.range(0, 30).anyMatch(disk -> version.writer() == member.writer(disk));
  }

  static Transport acknowledgesWhatItSends(Transport transport) {
    return new WrappedTransport(transport) {
      @Override
      public Call ask(
          MemberId to,
          ReplicaRequest request,
          long epoch,
          long timeoutMillis,
          Waiter<ReplicaReply> waiter) {
        if (request instanceof ReplicaRequest.Write) {
          inner.ask(to, request, epoch, timeoutMillis, reply -> {});
          waiter.reply(new ReplicaReply.WriteReply(WriteResult.Stored.STORED));
          return Call.DONE;
        }
        return inner.ask(to, request, epoch, timeoutMillis, waiter);
      }
    };
  }

  static Transport copiesNothing(Transport transport) {
    return answersItself(
        transport,
        request ->
            request instanceof TransferRequest.CopyGained copy
                ? Optional.of(new TransferReply.Gained(List.of(), Optional.empty(), copy.sent()))
                : Optional.empty());
  }
}
