package dev.kvorum.simulation.network;

import dev.kvorum.data.RejectReason;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.rpc.FenceNotice;
import dev.kvorum.rpc.PeerHealth;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.rpc.WireDoor;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private final SimTransport owner;
  private final MemberId id;
  private final PeerHealth health =
      new PeerHealth(SUSPECT_AFTER, Duration.ofMillis(1), Duration.ofMillis(100));
  private final Map<Integer, Pending> pending = new TreeMap<>();
  private @Nullable SimConnection established;
  private @Nullable SimConnection dialled;
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

  boolean has(SimConnection connection) {
    return dialled == connection || established == connection;
  }

  boolean isConnected() {
    return established != null;
  }

  boolean isKnown() {
    return established != null || failedOnce;
  }

  boolean isSuspect() {
    return health.isSuspect(owner.nanoTime());
  }

  long slowReadNanos() {
    return health.slowReadNanos();
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
    SimConnection connection = established;
    if (connection == null) {
      if (dialled == null && now - nextAttemptNanos >= 0 && owner.canDial()) {
        dial();
      }
    } else if (health.silentNanos(now) > DROP_AFTER_NANOS) {
      lost(connection);
    } else if (now - lastPingNanos >= HEARTBEAT_NANOS) {
      lastPingNanos = now;
      ping(connection);
      health.asked(now);
    }
  }

  private void ping(SimConnection connection) {
    RemoteClockMonitor.Asked asked = owner.clocks().ask();
    long rejections = WireDoor.rejections(owner.handshakes());
    send(
        connection,
        "ping",
        server -> {
          long millis = server.wallMillis();
          reply(
              connection,
              "pong",
              () -> {
                WireDoor.answered(owner.handshakes(), id, rejections);
                owner.clocks().onReading(id, asked, millis, SUSPECT_AFTER);
              });
        });
  }

  private void dial() {
    SimConnection connection = new SimConnection(this, owner, id);
    dialled = connection;
    byte[] hello = WireDoor.greeting(owner.handshakes(), id);
    owner.toServer(
        connection, "hello", server -> server.accept(connection, hello), () -> lost(connection));
    Runnable timeout =
        () -> {
          if (dialled == connection) {
            lost(connection);
          }
        };
    owner.loop().schedule(timeout, CONNECT_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** The peer has taken a connection. */
  void ready(SimConnection connection, byte[] answer) {
    if (dialled != connection) {
      return;
    }
    if (WireDoor.objection(owner.handshakes(), answer).isPresent()) {
      lost(connection);
      return;
    }
    Optional<FenceNotice> notice = WireDoor.enter(owner.handshakes(), answer, connection);
    if (notice.isPresent()) {
      sendFenced(connection, notice.get());
      return;
    }
    dialled = null;
    established = connection;
    pauseMillis = 0;
    WireDoor.admitted(owner.handshakes(), id);
    lastPingNanos = owner.nanoTime();
    health.connected();
    ping(connection);
    WireDoor.noteEpoch(owner.handshakes(), answer);
  }

  /** This node rejects the process at the other end. */
  void sendFenced(SimConnection connection, FenceNotice notice) {
    if (has(connection)) {
      send(connection, "fenced", server -> server.rejected(connection, notice));
      lost(connection);
    }
  }

  /** A connection, or the attempt at one, has failed. */
  void lost(SimConnection connection) {
    if (!has(connection)) {
      return;
    }
    WireDoor.leave(owner.handshakes(), id, connection);
    if (established == connection) {
      health.disconnected();
    }
    if (connection.isTaken()) {
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
    open.forEach(call -> call.waiter.reply(new ReplicaReply.Failed(RejectReason.UNREACHABLE)));
  }

  /** A process of the peer has ended, and its machine closes what it had open. */
  void ended(SimServer ended) {
    SimConnection connection = established;
    if (connection != null && connection.isTakenBy(ended)) {
      lost(connection);
    }
  }

  /** The peer is no member any more. */
  void reset() {
    SimConnection connection = established == null ? dialled : established;
    if (connection != null) {
      lost(connection);
    }
  }

  Transport.Call ask(
      ReplicaRequest request, long planned, long timeoutMillis, Waiter<ReplicaReply> waiter) {
    SimConnection connection = established;
    boolean isFull = pending.size() >= IN_FLIGHT_MAX;
    if (connection == null || !connection.takes(request) || isFull) {
      RejectReason reason = isFull ? RejectReason.OVERLOADED : RejectReason.UNREACHABLE;
      waiter.reply(new ReplicaReply.Failed(reason));
      return Transport.Call.DONE;
    }
    int call = ++lastCall;
    long epoch = planned + owner.epochOffset();
    Pending asked =
        new Pending(connection, call, request.untraced() instanceof ReplicaRequest.Read, waiter);
    pending.put(call, asked);
    byte[] frame = owner.frameTo(id, WireDoor.frame(epoch, timeoutMillis, request));
    if (request.untraced() instanceof ReplicaRequest.Write && owner.losesWrite()) {
      return asked;
    }
    send(
        connection,
        "ask " + call + " " + WireDoor.words(request, frame),
        server ->
            server.serve(
                connection,
                call,
                request,
                frame,
                reply -> {
                  byte[] arriving = owner.frameFrom(id, reply);
                  ReplicaReply read = WireDoor.reply(arriving);
                  owner.check(read);
                  String what = "answer " + call + " " + WireDoor.words(read, arriving);
                  reply(connection, what, () -> answered(call, read));
                }));
    return asked;
  }

  private void answered(int call, ReplicaReply reply) {
    Pending asked = pending.remove(call);
    if (asked != null) {
      asked.reply(reply);
    }
  }

  private void send(SimConnection connection, String what, SimTransport.AtServer delivery) {
    owner.toServer(
        connection,
        what,
        server -> {
          if (server.receives(connection)) {
            delivery.at(server);
          } else {
            owner.fromServer(server.address(), "reset", () -> lost(connection));
          }
        },
        () -> lost(connection));
  }

  private void reply(SimConnection connection, String what, Runnable delivery) {
    owner.fromServer(
        connection.address(),
        what,
        () -> {
          if (established == connection && !connection.isCutOff()) {
            health.received();
            delivery.run();
          }
        });
  }

  private final class Pending implements Transport.Call {
    private final SimConnection connection;
    private final int call;
    private final boolean read;
    private final Waiter<ReplicaReply> waiter;
    private final long sentNanos = owner.nanoTime();

    Pending(SimConnection connection, int call, boolean read, Waiter<ReplicaReply> waiter) {
      this.connection = connection;
      this.call = call;
      this.read = read;
      this.waiter = waiter;
    }

    void reply(ReplicaReply reply) {
      if (read) {
        health.readTook(owner.nanoTime() - sentNanos);
      }
      waiter.reply(reply);
    }

    @Override
    public void cancel() {
      if (pending.remove(call) != null) {
        send(connection, "cancel " + call, server -> server.cancel(connection, call));
      }
    }
  }
}
