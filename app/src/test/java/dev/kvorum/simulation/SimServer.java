package dev.kvorum.simulation;

import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.VirtualLoop;
import dev.kvorum.replica.WireDoor;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.MemberId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The door of one process for its peers. */
final class SimServer {
  private final LocalReplica replica;
  private final CurrentTopology topology;
  private final NodeLoop loop;
  private final VirtualLoop time;
  private final Consumer<MemberId> onSeen;
  private final boolean ignoresEpochs;
  private final Consumer<String> onStaleServed;
  private final Map<SimPeer.Connection, Map<Integer, WireDoor.Serving>> open = new HashMap<>();

  SimServer(
      LocalReplica replica,
      CurrentTopology topology,
      NodeLoop loop,
      VirtualLoop time,
      Consumer<MemberId> onSeen,
      boolean ignoresEpochs,
      Consumer<String> onStaleServed) {
    this.onStaleServed = onStaleServed;
    this.replica = replica;
    this.topology = topology;
    this.loop = loop;
    this.time = time;
    this.onSeen = onSeen;
    this.ignoresEpochs = ignoresEpochs;
  }

  NodeLoop loop() {
    return loop;
  }

  /** Takes a connection; to be called on this server's loop. */
  void accept(SimPeer.Connection connection, MemberId speaker) {
    open.computeIfAbsent(connection, c -> new HashMap<>());
    onSeen.accept(speaker);
  }

  /** The time that it tells with its answers to heartbeats. */
  long wallMillis() {
    return WireDoor.wallMillis(replica);
  }

  /** Whether this very process took that connection. */
  boolean knows(SimPeer.Connection connection) {
    return open.containsKey(connection);
  }

  /** Answers a frame; to be called on this server's loop. */
  void serve(SimPeer.Connection connection, int call, byte[] frame, Consumer<byte[]> answer) {
    Map<Integer, WireDoor.Serving> calls = open.get(connection);
    if (calls == null) {
      return;
    }
    long asked = WireDoor.epochOf(frame);
    boolean stale = asked < topology.get().epoch();
    WireDoor.Serving serving =
        WireDoor.serve(
            replica,
            frame,
            ignoresEpochs ? Long.MAX_VALUE : asked,
            time::nanoTime,
            loop,
            reply -> {
              calls.remove(call);
              if (stale && WireDoor.isServed(reply)) {
                onStaleServed.accept(WireDoor.reply(reply).toString());
              }
              answer.accept(reply);
            });
    if (serving.isOpen()) {
      calls.put(call, serving);
    }
  }

  /** The peer does not want an answer any more. */
  void cancel(SimPeer.Connection connection, int call) {
    Map<Integer, WireDoor.Serving> calls = open.get(connection);
    WireDoor.Serving serving = calls == null ? null : calls.remove(call);
    if (serving != null) {
      serving.cancel();
    }
  }

  /** The peer's end is closed. */
  void lost(SimPeer.Connection connection) {
    Map<Integer, WireDoor.Serving> calls = open.remove(connection);
    if (calls != null) {
      calls.values().forEach(WireDoor.Serving::cancel);
    }
  }
}
