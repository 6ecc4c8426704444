package dev.kvorum.repair;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.RejectReason;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.Transport;
import dev.kvorum.rpc.FrameBytes;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import dev.kvorum.virtualtime.VirtualLoop;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A network that counts what it carries, takes its time, and from which members go away. */
public final class RepairNetwork {
  private final VirtualLoop loop;
  private final Random random;
  private final Map<MemberId, Replicas> members = new HashMap<>();
  private final Map<MemberId, VirtualLoop> loops = new HashMap<>();
  private final Map<MemberId, HybridLogicalClock> clocks = new HashMap<>();
  private final Set<MemberId> away = new HashSet<>();
  private final Set<Set<MemberId>> parted = new HashSet<>();
  private Runnable atMessage = () -> {};
  private long messages;
  private long fatalMessage = -1;
  private long bytes;
  private long slowReadNanos;

  public RepairNetwork(VirtualLoop loop, Random random) {
    this.loop = loop;
    this.random = random;
  }

  public void join(
      MemberId member, Replicas replicas, VirtualLoop itsLoop, HybridLogicalClock itsClock) {
    members.put(member, replicas);
    clocks.put(member, itsClock);
    loops.put(member, itsLoop);
    away.remove(member);
  }

  public void cutOff(MemberId member) {
    away.add(member);
  }

  public void bringBack(MemberId member) {
    away.remove(member);
  }

  public void part(MemberId one, MemberId other) {
    parted.add(Set.of(one, other));
  }

  public void heal() {
    parted.clear();
  }

  /** The n-th message from now on is lost, and something happens. */
  public void atMessage(long number, Runnable event) {
    fatalMessage = messages + number;
    atMessage = event;
  }

  public boolean isFatalMessageStillToCome() {
    return messages < fatalMessage;
  }

  public long messages() {
    return messages;
  }

  public long bytes() {
    return bytes;
  }

  public void readsTake(long nanos) {
    slowReadNanos = nanos;
  }

  private boolean isCut(MemberId from, MemberId to) {
    return away.contains(from)
        || away.contains(to)
        || !members.containsKey(to)
        || parted.contains(Set.of(from, to));
  }

  /** A heartbeat, which is no part of the traffic that is counted. */
  public void askTime(MemberId from, MemberId to, RemoteClockMonitor asker) {
    RemoteClockMonitor.Asked asked = asker.ask();
    heartbeat(
        from,
        to,
        () -> {
          HybridLogicalClock theirs = clocks.get(to);
          long millis = theirs == null ? 0 : theirs.wallMillis();
          heartbeat(to, from, () -> asker.onReading(to, asked, millis, Duration.ofSeconds(2)));
        });
  }

  private void heartbeat(MemberId from, MemberId to, Runnable message) {
    deliver(from, to, 300, message);
  }

  private void deliver(MemberId from, MemberId to, long delayMicros, Runnable message) {
    VirtualLoop target = loops.get(to);
    loop.schedule(
        () -> {
          if (!isCut(from, to) && target != null) {
            target.run(message);
          }
        },
        delayMicros,
        TimeUnit.MICROSECONDS);
  }

  public Transport from(MemberId self) {
    return new From(self);
  }

  private void carry(MemberId from, MemberId to, int size, Runnable message) {
    messages++;
    bytes += size;
    if (messages == fatalMessage) {
      atMessage.run();
      return;
    }
    deliver(from, to, 200 + random.nextInt(1000), message);
  }

  private final class From implements Transport {
    private final MemberId self;
    private long reads;

    From(MemberId self) {
      this.self = self;
    }

    @Override
    public Call ask(
        MemberId to,
        ReplicaRequest request,
        long epoch,
        long timeoutMillis,
        Waiter<ReplicaReply> waiter) {
      if (isCut(self, to)) {
        waiter.reply(new ReplicaReply.Failed(RejectReason.UNREACHABLE));
        return Call.DONE;
      }
      reads += request instanceof ReplicaRequest.Read ? 1 : 0;
      long deadline = loop.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
      ReplicaRequest carried = FrameBytes.carried(request);
      VirtualLoop process = loops.get(self);
      Waiter<ReplicaReply> unlessDead =
          reply -> {
            // Not to the process after it.
            if (process == null || !process.isDead()) {
              waiter.reply(reply);
            }
          };
      carry(
          self,
          to,
          FrameBytes.of(request),
          () -> deliver(to, carried, epoch, deadline, unlessDead));
      return Call.DONE;
    }

    private void deliver(
        MemberId to,
        ReplicaRequest request,
        long epoch,
        long deadline,
        Waiter<ReplicaReply> waiter) {
      Replicas target = members.get(to);
      if (target != null) {
        target.ask(to, request, epoch, deadline, reply -> back(to, reply, waiter));
      }
    }

    private void back(MemberId from, ReplicaReply reply, Waiter<ReplicaReply> waiter) {
      ReplicaReply carried = FrameBytes.carried(reply);
      carry(from, self, FrameBytes.of(reply), () -> waiter.reply(carried));
    }

    @Override
    public boolean isConnected(MemberId member) {
      return !isSuspect(member);
    }

    @Override
    public boolean isKnown(MemberId member) {
      return true;
    }

    @Override
    public void tick() {}

    @Override
    public boolean isSuspect(MemberId member) {
      VirtualLoop itsLoop = loops.get(member);
      return itsLoop == null || isCut(self, member) || !itsLoop.isRunning();
    }

    @Override
    public long slowReadNanos(MemberId member) {
      return slowReadNanos;
    }

    @Override
    public long timedReads(MemberId member) {
      return reads;
    }
  }
}
