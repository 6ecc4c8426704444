package dev.kvorum.replica;

import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.MemberId;

/**
 * How this node presents itself to the others.
 *
 * @param incarnation of its data directory
 */
public record LocalMember(MemberId id, long incarnation, CurrentTopology topology) {
  Handshake greeting(MemberId listener) {
    return Handshake.of(topology.get(), id, listener, incarnation);
  }
}
