package dev.kvorum.chaos;

import dev.kvorum.blackbox.Place;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * A network namespace for each node, joined by a bridge that only this machine sees. The bridge has
 * a namespace of its own: Docker sets the machine's firewall to drop what it does not forward
 * itself, which includes frames that pass a bridge in the machine's namespace.
 *
 * <p>A cut is a routing rule in the receiver's namespace that drops what comes from the sender, so
 * neither side is notified. For it the rule for local addresses, which comes first by default, is
 * moved behind. Addresses are from 198.18.0.0/15, which is set apart for tests of network devices
 * (RFC 2544). Names carry the process id: what a killed run left behind is removed by the next one.
 */
final class Namespaces implements Network {
  private static final String PREFIX = "kvchaos";
  private static final String BRIDGE = "bridge";
  private static final int CUT_RULE = 100;
  private static final int LOCAL_RULE = 200;
  private static final long PID = ProcessHandle.current().pid();

  /** The machine's link to the bridge. */
  private final String link = PREFIX + PID % 100_000;

  private final String bridgeNamespace = PREFIX + "-" + PID + "-bridge";
  private final String subnet = "198.18." + PID % 256 + ".";
  private final List<String> names;
  private final Set<List<String>> cuts = new LinkedHashSet<>();
  private final List<String> slowed = new ArrayList<>();
  private final Thread hook = new Thread(this::remove);
  private final AtomicBoolean removed = new AtomicBoolean();
  private final boolean netem;

  Namespaces(int nodes) {
    removeLeftOver();
    names = IntStream.range(0, nodes).mapToObj(i -> PREFIX + "-" + PID + "-" + i).toList();
    Runtime.getRuntime().addShutdownHook(hook);
    Shell.run("ip", "netns", "add", bridgeNamespace);
    Shell.run("ip", "-n", bridgeNamespace, "link", "add", BRIDGE, "type", "bridge");
    Shell.run("ip", "-n", bridgeNamespace, "link", "set", BRIDGE, "up");
    Shell.run(
        "ip",
        "link",
        "add",
        link,
        "type",
        "veth",
        "peer",
        "name",
        "machine",
        "netns",
        bridgeNamespace);
    Shell.run("ip", "-n", bridgeNamespace, "link", "set", "machine", "master", BRIDGE, "up");
    Shell.run("ip", "address", "add", subnet + "1/24", "dev", link);
    Shell.run("ip", "link", "set", link, "up");
    for (int i = 0; i < nodes; i++) {
      add(i);
    }
    netem = tryNetem(names.getFirst());
  }

  /** Why there can be no namespaces here, empty when there can be. */
  static String obstacle() {
    String probe = PREFIX + "-" + PID + "-probe";
    if (!Shell.attempt("ip", "netns", "add", probe)) {
      return "`ip netns add` fails";
    }
    try {
      boolean can =
          Shell.attempt("ip", "netns", "exec", probe, "true")
              && Shell.attempt("ip", "-n", probe, "rule", "add", "pref", "9", "lookup", "local")
              && Shell.attempt("tc", "-n", probe, "qdisc", "show");
      return can ? "" : "no commands or rules in a namespace, or no `tc`";
    } finally {
      Shell.attempt("ip", "netns", "delete", probe);
    }
  }

  private void add(int node) {
    String name = names.get(node);
    Shell.run("ip", "netns", "add", name);
    String port = "node-" + node;
    Shell.run(
        "ip",
        "-n",
        bridgeNamespace,
        "link",
        "add",
        port,
        "type",
        "veth",
        "peer",
        "name",
        "eth0",
        "netns",
        name);
    Shell.run("ip", "-n", bridgeNamespace, "link", "set", port, "master", BRIDGE, "up");
    Shell.run("ip", "-n", name, "address", "add", address(node) + "/24", "dev", "eth0");
    Shell.run("ip", "-n", name, "link", "set", "lo", "up");
    Shell.run("ip", "-n", name, "link", "set", "eth0", "up");
    Shell.run("ip", "-n", name, "rule", "add", "pref", "" + LOCAL_RULE, "lookup", "local");
    Shell.run("ip", "-n", name, "rule", "delete", "pref", "0");
  }

  private static boolean tryNetem(String name) {
    return Shell.attempt(
            "tc", "-n", name, "qdisc", "add", "dev", "eth0", "root", "netem", "delay", "1ms")
        && Shell.attempt("tc", "-n", name, "qdisc", "delete", "dev", "eth0", "root");
  }

  private String address(int node) {
    return subnet + (10 + node);
  }

  @Override
  public List<Place> places() {
    return IntStream.range(0, names.size())
        .mapToObj(i -> new Place(address(i), List.of("ip", "netns", "exec", names.get(i))))
        .toList();
  }

  @Override
  public String skipped() {
    return netem ? "" : "exact delay and loss need netem in the kernel; links are squeezed instead";
  }

  @Override
  public Set<Faults.Kind> kinds() {
    return EnumSet.of(
        Faults.Kind.CUT_ONE_WAY, Faults.Kind.CUT_BOTH_WAYS, Faults.Kind.DELAY_AND_LOSS);
  }

  @Override
  public void cut(int from, int to) {
    List<String> rule =
        List.of(names.get(to), "pref", "" + CUT_RULE, "from", address(from), "blackhole");
    // Two faults at a time may cut the same way.
    if (cuts.add(rule)) {
      rule("add", rule);
    }
  }

  private static void rule(String verb, List<String> rule) {
    List<String> command = new ArrayList<>(List.of("ip", "-n", rule.getFirst(), "rule", verb));
    command.addAll(rule.subList(1, rule.size()));
    Shell.run(command.toArray(String[]::new));
  }

  @Override
  public String slow(int node, int degree) {
    List<String> how =
        netem
            ? List.of(
                "netem", "delay", 20 * degree + "ms", 10 * degree + "ms", "loss", degree + "%")
            : List.of("tbf", "rate", 1200 / degree + "kbit", "burst", "6kb", "latency", "150ms");
    String name = names.get(node);
    List<String> command =
        new ArrayList<>(List.of("tc", "-n", name, "qdisc", "add", "dev", "eth0", "root"));
    command.addAll(how);
    slowed.add(name);
    Shell.run(command.toArray(String[]::new));
    return String.join(" ", how);
  }

  @Override
  public void heal() {
    cuts.forEach(rule -> rule("delete", rule));
    cuts.clear();
    slowed.forEach(name -> Shell.run("tc", "-n", name, "qdisc", "delete", "dev", "eth0", "root"));
    slowed.clear();
  }

  @Override
  public void close() {
    remove();
    Runtime.getRuntime().removeShutdownHook(hook);
  }

  private void remove() {
    if (removed.compareAndSet(false, true)) {
      names.forEach(name -> Shell.attempt("ip", "netns", "delete", name));
      Shell.attempt("ip", "netns", "delete", bridgeNamespace);
      Shell.attempt("ip", "link", "delete", link);
    }
  }

  /** Namespaces of processes that ended, with the nodes that run in them, and links. */
  private static void removeLeftOver() {
    for (String line : Shell.run("ip", "netns", "list").split("\n", -1)) {
      String[] parts = line.split("[- ]", -1);
      if (parts.length > 2 && parts[0].equals(PREFIX) && isGone(parts[1])) {
        String name = line.split(" ", -1)[0];
        for (String pid : Shell.run("ip", "netns", "pids", name).split("\n", -1)) {
          Shell.attempt("kill", "-KILL", pid);
        }
        Shell.attempt("ip", "netns", "delete", name);
        Shell.attempt("ip", "link", "delete", PREFIX + Long.parseLong(parts[1]) % 100_000);
      }
    }
  }

  private static boolean isGone(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive).isEmpty();
  }
}
