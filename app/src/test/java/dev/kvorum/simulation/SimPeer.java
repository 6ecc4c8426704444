package dev.kvorum.simulation;

import dev.kvorum.data.Refusal;
import dev.kvorum.replica.PeerClocks;
import dev.kvorum.replica.PeerOpinion;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.replica.WireDoor;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Another member as one process sees it: a connection that is made, watched by heartbeats, lost and
 * made again, with the intervals that a real node has.
 */
final class SimPeer {
  private static final Duration SUSPECT_AFTER = Duration.ofMillis(600);
  private static final long DROP_AFTER_NANOS = 5_000_000_000L;
  private static final long HEARTBEAT_NANOS = 200_000_000L;
  private static final long CONNECT_TIMEOUT_MILLIS = 1000;
  private static final long PAUSE_MIN_MILLIS = 50;
  private static final long PAUSE_MAX_MILLIS = 1000;
  private static final int IN_FLIGHT_MAX = 64;

  /** One connection; known by itself. */
  static final class Connection {}

  private final SimTransport owner;
  private final MemberId id;
  private final PeerOpinion opinion =
      new PeerOpinion(SUSPECT_AFTER, Duration.ofMillis(1), Duration.ofMillis(100));
  private final Map<Integer, Pending> pending = new TreeMap<>();
  private @Nullable Connection established;
  private @Nullable Connection dialled;
  private boolean failedOnce;
  private int lastCall;
  private long pauseMillis;
  private long nextAttemptNanos;
  private long lastPingNanos;

  SimPeer(SimTransport owner, MemberId id) {
    this.owner = owner;
    this.id = id;
    this.nextAttemptNanos = owner.nanoTime();
  }

  boolean isConnected() {
    return established != null;
  }

  boolean isKnown() {
    return established != null || failedOnce;
  }

  boolean isSuspect() {
    return opinion.isSuspect(owner.nanoTime());
  }

  long slowReadNanos() {
    return opinion.slowReadNanos();
  }

  void seen() {
    if (established == null) {
      pauseMillis = 0;
      nextAttemptNanos = owner.nanoTime();
      tick();
    }
  }

  void tick() {
    long now = owner.nanoTime();
    Connection connection = established;
    if (connection == null) {
      if (dialled == null && now - nextAttemptNanos >= 0) {
        dial();
      }
    } else if (opinion.silentNanos(now) > DROP_AFTER_NANOS) {
      lost(connection);
    } else if (now - lastPingNanos >= HEARTBEAT_NANOS) {
      lastPingNanos = now;
      ping(connection);
      opinion.asked(now);
    }
  }

  private void ping(Connection connection) {
    PeerClocks.Asked asked = owner.clocks().ask();
    send(
        connection,
        "ping",
        server -> {
          long millis = server.wallMillis();
          reply(connection, "pong", () -> owner.clocks().told(id, asked, millis, SUSPECT_AFTER));
        });
  }

  private void dial() {
    Connection connection = new Connection();
    dialled = connection;
    owner.toServer(
        id,
        "hello",
        server -> {
          server.accept(connection, owner.self());
          owner.fromServer(id, "welcome", () -> ready(connection));
        },
        () -> lost(connection));
    owner
        .loop()
        .schedule(
            () -> {
              if (dialled == connection) {
                lost(connection);
              }
            },
            CONNECT_TIMEOUT_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private void ready(Connection connection) {
    if (dialled == connection) {
      dialled = null;
      established = connection;
      pauseMillis = 0;
      lastPingNanos = owner.nanoTime();
      opinion.connected();
      ping(connection);
    }
  }

  /** A connection, or the attempt at one, has failed. */
  private void lost(Connection connection) {
    if (dialled != connection && established != connection) {
      return;
    }
    if (established == connection) {
      opinion.disconnected();
      send(connection, "bye", server -> server.lost(connection));
    }
    dialled = null;
    established = null;
    failedOnce = true;
    pauseMillis = Math.clamp(pauseMillis * 2, PAUSE_MIN_MILLIS, PAUSE_MAX_MILLIS);
    long jittered = pauseMillis / 2 + owner.random().nextLong(pauseMillis / 2 + 1);
    nextAttemptNanos = owner.nanoTime() + TimeUnit.MILLISECONDS.toNanos(jittered);
    List<Pending> open = new ArrayList<>(pending.values());
    pending.clear();
    open.forEach(call -> call.waiter.answer(new ReplicaReply.Failed(Refusal.UNREACHABLE)));
  }

  /** The peer's machine says that it knows nothing of this process's connection. */
  void reset() {
    Connection connection = established;
    if (connection != null) {
      lost(connection);
    }
  }

  Transport.Call ask(
      ReplicaRequest request, long planned, long timeoutMillis, Waiter<ReplicaReply> waiter) {
    Connection connection = established;
    if (connection == null || pending.size() >= IN_FLIGHT_MAX) {
      Refusal reason = connection == null ? Refusal.UNREACHABLE : Refusal.OVERLOADED;
      waiter.answer(new ReplicaReply.Failed(reason));
      return Transport.Call.DONE;
    }
    int call = ++lastCall;
    long epoch = planned + owner.epochOffset();
    Pending asked =
        new Pending(connection, call, request.untraced() instanceof ReplicaRequest.Read, waiter);
    pending.put(call, asked);
    byte[] frame = owner.frameTo(id, WireDoor.frame(epoch, timeoutMillis, request));
    send(
        connection,
        "ask " + call + " " + WireDoor.words(request, frame),
        server ->
            server.serve(
                connection,
                call,
                frame,
                reply -> {
                  byte[] arriving = owner.frameFrom(id, reply);
                  ReplicaReply read = WireDoor.reply(arriving);
                  String what = "answer " + call + " " + WireDoor.words(read, arriving);
                  reply(connection, what, () -> answered(call, read));
                }));
    return asked;
  }

  private void answered(int call, ReplicaReply reply) {
    Pending asked = pending.remove(call);
    if (asked != null) {
      asked.answer(reply);
    }
  }

  private void send(Connection connection, String what, SimTransport.AtServer arrival) {
    owner.toServer(
        id,
        what,
        server -> {
          if (server.knows(connection)) {
            arrival.at(server);
          } else {
            owner.fromServer(id, "reset", () -> lost(connection));
          }
        },
        () -> lost(connection));
  }

  private void reply(Connection connection, String what, Runnable arrival) {
    owner.fromServer(
        id,
        what,
        () -> {
          if (established == connection) {
            opinion.heard();
            arrival.run();
          }
        });
  }

  private final class Pending implements Transport.Call {
    private final Connection connection;
    private final int call;
    private final boolean read;
    private final Waiter<ReplicaReply> waiter;
    private final long sentNanos = owner.nanoTime();

    Pending(Connection connection, int call, boolean read, Waiter<ReplicaReply> waiter) {
      this.connection = connection;
      this.call = call;
      this.read = read;
      this.waiter = waiter;
    }

    void answer(ReplicaReply reply) {
      if (read) {
        opinion.readTook(owner.nanoTime() - sentNanos);
      }
      waiter.answer(reply);
    }

    @Override
    public void cancel() {
      if (pending.remove(call) != null) {
        send(connection, "cancel " + call, server -> server.cancel(connection, call));
      }
    }
  }
}
