package dev.kvorum.simulation.network;

import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.topology.MemberId;
import dev.kvorum.virtualtime.VirtualLoop;

/** What belongs to an event loop of a process: its ways to the peers, and theirs to it. */
public record SimLoopContext(
    VirtualLoop loop, SimTransport transport, SimServer server, Coordinator coordinator) {
  public void moveTo(MemberId address) {
    server.moveTo(address);
    transport.moveTo(address);
  }

  /** The same lane of a peer's process has ended, and its machine closes what it had open. */
  public void onEnd(MemberId peer, SimLoopContext ended) {
    transport.fromServer(
        ended.server.address(),
        "closed",
        () -> {
          transport.ended(peer, ended.server);
          server.ended(ended.transport);
        });
  }
}
