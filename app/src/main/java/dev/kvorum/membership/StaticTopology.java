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
 * A static list of members, for use without Kubernetes: {@code
 * kvorum-0=host:7400,kvorum-1=host:7401,…}.
 *
 * @param topology the members at epoch 1
 * @param addresses unresolved addresses on which they listen for each other
 */
public record StaticTopology(Topology topology, Map<MemberId, InetSocketAddress> addresses) {
  private static final long EPOCH = 1;
  private static final int PORT_MAX = 65_535;
  private static final String FORM = "kvorum.cluster.peers must be NAME=HOST:PORT,… but ";

  /**
   * Parses a list of peers; an empty list means this node alone.
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
        MemberId id = name(entry.substring(0, equals).strip());
        if (addresses.put(id, address(entry, entry.substring(equals + 1).strip())) != null) {
          throw new IllegalArgumentException(FORM + "'" + id + "' is listed twice");
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
    return new StaticTopology(Topology.stable(clusterId, EPOCH, members), addresses);
  }

  private static MemberId name(String name) {
    try {
      return new MemberId(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(FORM + e.getMessage(), e);
    }
  }

  private static InetSocketAddress address(String entry, String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    int port = port(entry, hostAndPort.substring(colon + 1));
    String host = colon < 0 ? "" : bare(entry, hostAndPort.substring(0, colon));
    if (host.isEmpty()) {
      throw new IllegalArgumentException(FORM + "'" + entry + "' has no HOST:PORT");
    }
    return InetSocketAddress.createUnresolved(host, port);
  }

  private static int port(String entry, String text) {
    try {
      int port = Integer.parseInt(text);
      if (port > 0 && port <= PORT_MAX) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number that is not a valid port.
    }
    throw new IllegalArgumentException(FORM + "'" + entry + "' has no valid port");
  }

  private static String bare(String entry, String host) {
    if (host.startsWith("[") && host.endsWith("]")) {
      return host.substring(1, host.length() - 1);
    }
    if (host.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          FORM + "'" + entry + "' has an IPv6 address without brackets: [ADDRESS]:PORT");
    }
    return host;
  }
}
