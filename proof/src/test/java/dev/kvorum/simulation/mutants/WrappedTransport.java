package dev.kvorum.simulation.mutants;

import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;

/** A transport around another one, for those that do something differently. */
class WrappedTransport implements Transport {
  final Transport inner;

  WrappedTransport(Transport inner) {
    this.inner = inner;
  }

  @Override
  public Call ask(
      MemberId to,
      ReplicaRequest request,
      long epoch,
      long timeoutMillis,
      Waiter<ReplicaReply> waiter) {
    return inner.ask(to, request, epoch, timeoutMillis, waiter);
  }

  @Override
  public boolean isConnected(MemberId member) {
    return inner.isConnected(member);
  }

  @Override
  public boolean isKnown(MemberId member) {
    return inner.isKnown(member);
  }

  @Override
  public void tick() {
    inner.tick();
  }

  @Override
  public boolean isSuspect(MemberId member) {
    return inner.isSuspect(member);
  }

  @Override
  public long slowReadNanos(MemberId member) {
    return inner.slowReadNanos(member);
  }
}
