package dev.kvorum.simulation.network;

import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.rpc.FenceNotice;
import dev.kvorum.rpc.HandshakePolicy;
import dev.kvorum.rpc.LocalMember;
import dev.kvorum.rpc.ProcessRegistry;
import dev.kvorum.rpc.TypedFrames;
import dev.kvorum.rpc.WireDoor;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.MemberId;
import dev.kvorum.virtualtime.VirtualLoop;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The door of one process for its peers. */
public final class SimServer {
  private static final long SILENCE_MAX_MILLIS = 10_000;

  private final LocalReplica replica;
  private final CurrentTopology topology;
  private final VirtualLoop loop;
  private final Consumer<MemberId> onSeen;
  private final boolean ignoresEpochs;
  private final Consumer<String> onStaleServed;
  private final HandshakePolicy handshakes;
  private final Map<SimConnection, Served> open = new LinkedHashMap<>();
  private MemberId address;

  /** A connection as its taker has it. */
  private final class Served implements ProcessRegistry.Link {
    private final SimConnection connection;
    private final MemberId speaker;
    private final Map<Integer, WireDoor.Serving> calls = new HashMap<>();
    private boolean moved;
    private boolean cutOff;

    Served(SimConnection connection, MemberId speaker) {
      this.connection = connection;
      this.speaker = speaker;
    }

    /** A machine that lost power does not close its connections. */
    void checkSilence() {
      if (!moved) {
        lost(connection);
      }
      moved = false;
      checkSilenceLater();
    }

    void checkSilenceLater() {
      if (open.get(connection) == this) {
        loop.schedule(this::checkSilence, SILENCE_MAX_MILLIS, TimeUnit.MILLISECONDS);
      }
    }

    @Override
    public boolean isInbound() {
      return true;
    }

    @Override
    public void fence(FenceNotice notice) {
      cutOff = true;
      loop.execute(() -> {
        if (open.get(connection) == this) {
          lost(connection);
          sendFenced(connection, notice);
        }
      });
    }

    @Override
    public void cutOff(String why) {
      cutOff = true;
      loop.execute(() -> {
        if (open.get(connection) == this) {
          lost(connection);
          connection.fromServer(address, "reset", connection::rejected);
        }
      });
    }
  }

  public SimServer(
      HandshakePolicy handshakes,
      LocalReplica replica,
      VirtualLoop loop,
      Consumer<MemberId> onSeen,
      boolean ignoresEpochs,
      Consumer<String> onStaleServed) {
    LocalMember member = WireDoor.self(handshakes);
    this.handshakes = handshakes;
    this.address = member.id();
    this.onStaleServed = onStaleServed;
    this.replica = replica;
    this.topology = member.topology();
    this.loop = loop;
    this.onSeen = onSeen;
    this.ignoresEpochs = ignoresEpochs;
  }

  VirtualLoop loop() {
    return loop;
  }

  public MemberId address() {
    return address;
  }

  /** From now on this process is elsewhere. */
  void moveTo(MemberId newAddress) {
    address = newAddress;
  }

  /** Takes a connection or rejects it; to be called on this server's loop. */
  void accept(SimConnection connection, byte[] hello) {
    // What comes twice or late is of a connection that is closed.
    if (!connection.isDialled() || open.containsKey(connection)) {
      return;
    }
    if (WireDoor.objection(handshakes, hello).isPresent()) {
      connection.fromServer(address, "rejected", connection::rejected);
      WireDoor.noteEpoch(handshakes, hello);
      return;
    }
    Served served = new Served(connection, WireDoor.speaker(hello));
    Optional<FenceNotice> fenced = WireDoor.enter(handshakes, hello, served);
    if (fenced.isPresent()) {
      sendFenced(connection, fenced.get());
      return;
    }
    open.put(connection, served);
    connection.takenBy(this);
    served.checkSilenceLater();
    byte[] welcome = WireDoor.greeting(handshakes, served.speaker);
    connection.fromServer(address, "welcome", () -> connection.welcome(welcome));
    onSeen.accept(served.speaker);
    WireDoor.noteEpoch(handshakes, hello);
  }

  private void sendFenced(SimConnection connection, FenceNotice notice) {
    connection.fromServer(address, "fenced", () -> connection.rejected(notice));
  }

  /** A peer rejects this process. */
  void rejected(SimConnection connection, FenceNotice notice) {
    Served served = open.get(connection);
    if (served != null) {
      WireDoor.rejected(handshakes, served.speaker, notice);
      lost(connection);
    }
  }

  /** A peer's process has ended and its machine closes what it had open. */
  void ended(SimTransport peer) {
    List.copyOf(open.keySet()).stream()
        .filter(connection -> connection.isOf(peer))
        .forEach(this::lost);
  }

  /** The time in its replies to heartbeats. */
  long wallMillis() {
    return WireDoor.wallMillis(replica);
  }

  /** Something comes over a connection; whether this very process has it. */
  boolean receives(SimConnection connection) {
    Served served = open.get(connection);
    if (served != null) {
      served.moved = true;
    }
    return served != null && !served.cutOff;
  }

  /** Answers a frame; to be called on this server's loop. */
  void serve(
      SimConnection connection,
      int call,
      ReplicaRequest request,
      byte[] frame,
      Consumer<byte[]> answer) {
    Served served = open.get(connection);
    if (served == null) {
      return;
    }
    if (TypedFrames.cannotRead(handshakes, request)) {
      throw new IllegalStateException("received a request that its release cannot read");
    }
    Map<Integer, WireDoor.Serving> calls = served.calls;
    long asked = WireDoor.epochOf(frame);
    boolean stale = asked < topology.get().epoch();
    WireDoor.Serving serving =
        WireDoor.serve(
            replica,
            frame,
            ignoresEpochs ? Long.MAX_VALUE : asked,
            loop::nanoTime,
            loop,
            reply -> {
              calls.remove(call);
              if (served.cutOff) {
                return;
              }
              if (stale && WireDoor.isServed(reply)) {
                onStaleServed.accept(WireDoor.reply(reply).toString());
              }
              answer.accept(reply);
            });
    if (serving.isOpen()) {
      calls.put(call, serving);
    }
  }

  /** The peer does not need a reply any more. */
  void cancel(SimConnection connection, int call) {
    Served served = open.get(connection);
    WireDoor.Serving serving = served == null ? null : served.calls.remove(call);
    if (serving != null) {
      serving.cancel();
    }
  }

  /** The peer's end is closed. */
  void lost(SimConnection connection) {
    Served served = open.remove(connection);
    if (served != null) {
      served.calls.values().forEach(WireDoor.Serving::cancel);
      WireDoor.leave(handshakes, served.speaker, served);
    }
  }
}
