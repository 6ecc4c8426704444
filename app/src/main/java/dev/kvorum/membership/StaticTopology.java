package dev.kvorum.membership;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A fixed list of members, for use without Kubernetes: {@code
 * kvorum-0=host:7400,kvorum-1=host:7401,…}.
 *
 * @param topology the members at epoch 1
 * @param addresses where they listen for each other, not resolved
 */
public record StaticTopology(Topology topology, Map<MemberId, InetSocketAddress> addresses) {
  private static final long EPOCH = 1;
  private static final String FORM = "kvorum.cluster.peers must be NAME=HOST:PORT,… but ";

  /**
   * Reads a list of peers; an empty one means this node alone.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  public static StaticTopology parse(String clusterId, String peers, MemberId self) {
    Map<MemberId, InetSocketAddress> addresses = new LinkedHashMap<>();
    for (String peer : peers.split(",", -1)) {
      String entry = peer.strip();
      if (!entry.isEmpty()) {
        int equals = entry.indexOf('=');
        if (equals < 1) {
          throw new IllegalArgumentException(FORM + "'" + entry + "' has no name and '='");
        }
        MemberId id = new MemberId(entry.substring(0, equals).strip());
        if (addresses.put(id, address(entry, entry.substring(equals + 1).strip())) != null) {
          throw new IllegalArgumentException(FORM + "'" + id + "' stands there twice");
        }
      }
    }
    if (!addresses.isEmpty() && !addresses.containsKey(self)) {
      throw new IllegalArgumentException(
          "kvorum.cluster.peers does not list this node, " + self + " (kvorum.node.name)");
    }
    List<Member> members = new ArrayList<>();
    (addresses.isEmpty() ? List.of(self) : addresses.keySet())
        .forEach(id -> members.add(new Member(id, "", MemberState.ACTIVE)));
    return new StaticTopology(new Topology(clusterId, EPOCH, members), addresses);
  }

  private static InetSocketAddress address(String entry, String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    try {
      int port = Integer.parseInt(hostAndPort.substring(colon + 1));
      if (colon > 0 && port > 0) {
        return InetSocketAddress.createUnresolved(bare(hostAndPort.substring(0, colon)), port);
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(FORM + "'" + entry + "' has no valid port", e);
    }
    throw new IllegalArgumentException(FORM + "'" + entry + "' has no HOST:PORT");
  }

  private static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
