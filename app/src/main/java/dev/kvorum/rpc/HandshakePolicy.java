package dev.kvorum.rpc;

import dev.kvorum.topology.MemberId;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Accepts or rejects handshakes: one instance for incoming and outgoing connections on all event
 * loops.
 */
public final class HandshakePolicy {
  private final LocalMember self;
  private final ProcessRegistry processes;
  private final Fence fence;
  private final Consumer<MemberId> onNewerEpoch;

  /**
   * A judge for one node.
   *
   * @param onNewerEpoch notified, on any thread, of a member whose handshake has a newer epoch
   */
  public HandshakePolicy(
      LocalMember self, ProcessRegistry processes, Fence fence, Consumer<MemberId> onNewerEpoch) {
    this.self = self;
    this.processes = processes;
    this.fence = fence;
    this.onNewerEpoch = onNewerEpoch;
  }

  LocalMember self() {
    return self;
  }

  Fence fence() {
    return fence;
  }

  Handshake greeting(MemberId listener) {
    return self.greeting(listener);
  }

  /** Why the connection must be closed, if so: it is of a wrong node. */
  Optional<String> objection(Handshake hello) {
    return hello.objection(self);
  }

  /** Registers an accepted connection, or returns why its process is fenced. */
  Optional<FenceNotice> enter(Handshake hello, ProcessRegistry.Link link) {
    return processes.enter(hello.speaker(), hello.process(), hello.loops(), link);
  }

  void leave(MemberId speaker, ProcessRegistry.Link link) {
    processes.leave(speaker, link);
  }

  /** Takes note of the epoch in a handshake, once requests can be sent if it was admitted. */
  void noteEpoch(Handshake hello) {
    if (hello.isNewerThan(self.topology().get())) {
      onNewerEpoch.accept(hello.speaker());
    }
  }
}
