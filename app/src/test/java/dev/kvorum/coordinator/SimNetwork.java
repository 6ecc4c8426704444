package dev.kvorum.coordinator;

import dev.kvorum.data.Refusal;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.Transport;
import dev.kvorum.replica.VirtualLoop;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A network that delays, drops, repeats and reorders, and from which members go away. */
final class SimNetwork {
  private final VirtualLoop loop;
  private final Random random;
  private final Map<MemberId, Replicas> members = new HashMap<>();
  private final Set<MemberId> cutOff = new HashSet<>();
  private double lossShare;

  SimNetwork(VirtualLoop loop, Random random) {
    this.loop = loop;
    this.random = random;
  }

  void join(MemberId member, Replicas replicas) {
    members.put(member, replicas);
  }

  void lose(double share) {
    lossShare = share;
  }

  void cutOff(MemberId member) {
    cutOff.add(member);
  }

  void heal() {
    cutOff.clear();
    lossShare = 0;
  }

  Transport from(MemberId self) {
    return new From(self);
  }

  private void carry(Runnable message) {
    if (random.nextDouble() < lossShare) {
      return;
    }
    long millis = random.nextInt(20) == 0 ? random.nextLong(1500) : random.nextLong(15);
    loop.schedule(message, millis, TimeUnit.MILLISECONDS);
  }

  private final class From implements Transport {
    private final MemberId self;

    From(MemberId self) {
      this.self = self;
    }

    @Override
    public Call ask(
        MemberId to, ReplicaRequest request, long timeoutMillis, Waiter<ReplicaReply> waiter) {
      if (isSuspect(to)) {
        waiter.answer(new ReplicaReply.Failed(Refusal.UNREACHABLE));
        return Call.DONE;
      }
      boolean[] over = {false};
      Waiter<ReplicaReply> once =
          reply -> {
            if (!over[0]) {
              over[0] = true;
              waiter.answer(reply);
            }
          };
      boolean repeatable = request instanceof ReplicaRequest.Write;
      int copies = repeatable && random.nextInt(10) == 0 ? 2 : 1;
      for (int copy = 0; copy < copies; copy++) {
        carry(() -> arrive(to, request, timeoutMillis, once));
      }
      return () -> over[0] = true;
    }

    private void arrive(
        MemberId to, ReplicaRequest request, long timeoutMillis, Waiter<ReplicaReply> waiter) {
      long deadline = loop.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
      Replicas target = members.get(to);
      if (target != null && !isSuspect(to)) {
        target.ask(to, request, deadline, reply -> carry(() -> waiter.answer(reply)));
      }
    }

    @Override
    public boolean isConnected(MemberId member) {
      return !isSuspect(member);
    }

    @Override
    public boolean isEveryPeerKnown() {
      return true;
    }

    @Override
    public void tick() {}

    @Override
    public boolean isSuspect(MemberId member) {
      return cutOff.contains(member) || cutOff.contains(self);
    }

    @Override
    public long slowReadNanos(MemberId member) {
      return TimeUnit.MILLISECONDS.toNanos(15);
    }
  }
}
