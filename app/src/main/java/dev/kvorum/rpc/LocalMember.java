package dev.kvorum.rpc;

import dev.kvorum.topology.ActiveFeatures;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.MemberId;

/**
 * This node as it identifies itself to its peers.
 *
 * @param loops number of event loops, each of which connects to each peer
 */
public record LocalMember(
    MemberId id,
    ProcessId process,
    Release release,
    int loops,
    CurrentTopology topology,
    ActiveFeatures features) {
  /** A member that runs this release, with features that no disk keeps. */
  public static LocalMember of(
      MemberId id, ProcessId process, int loops, CurrentTopology topology) {
    return of(id, process, loops, topology, ActiveFeatures.inMemory());
  }

  /** A member that runs this release. */
  public static LocalMember of(
      MemberId id,
      ProcessId process,
      int loops,
      CurrentTopology topology,
      ActiveFeatures features) {
    return new LocalMember(id, process, Release.CURRENT, loops, topology, features);
  }

  /** Incarnation of this node's data directory. */
  public long incarnation() {
    return process.incarnation();
  }

  Handshake greeting(MemberId listener) {
    return Handshake.of(this, listener);
  }
}
