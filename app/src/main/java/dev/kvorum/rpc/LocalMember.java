package dev.kvorum.rpc;

import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.MemberId;

/**
 * How this node presents itself to the others.
 *
 * @param loops event loops, each of which connects to each other member
 */
public record LocalMember(MemberId id, ProcessId process, int loops, CurrentTopology topology) {
  /** Of this node's data directory. */
  public long incarnation() {
    return process.incarnation();
  }

  Handshake greeting(MemberId listener) {
    return Handshake.of(this, listener);
  }
}
