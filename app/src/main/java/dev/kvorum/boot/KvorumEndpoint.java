package dev.kvorum.boot;

import dev.kvorum.auth.UserFile;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.node.Node;
import dev.kvorum.node.NodeStatus;
import dev.kvorum.placement.Slots;
import dev.kvorum.rebalance.TransferReport;
import dev.kvorum.repair.RepairReport;
import dev.kvorum.rpc.PeerReleases;
import dev.kvorum.rpc.Release;
import dev.kvorum.security.TlsMode;
import dev.kvorum.security.TlsPort;
import dev.kvorum.storage.engine.StoreStats;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** {@code /actuator/kvorum}: the state of this node and of the cluster. */
@Endpoint(id = "kvorum")
public class KvorumEndpoint {
  /** What an operator may ask of this node and not of older ones, besides {@link Feature}s. */
  private static final List<String> CHANGES = List.of("moving", "removing");

  private final Node node;
  private final String clusterName;
  private final List<TlsPort<?>> tls;
  private final UserFile users;
  private final Supplier<StoreStats> store;

  KvorumEndpoint(Node node, String clusterName, List<TlsPort<?>> tls, UserFile users) {
    this.node = node;
    this.tls = List.copyOf(tls);
    this.users = users;
    this.clusterName = clusterName;
    this.store = new ExpiringSupplier<>(node.store()::stats);
  }

  /** Returns the current state. */
  @ReadOperation
  public Map<String, Object> state() {
    NodeStatus status = node.status();
    NodeStatus.Change change = status.change();
    Topology topology = change.topology();
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("node", node.self().id().name());
    state.put("cluster", topology.clusterId());
    state.put("clusterName", clusterName);
    state.put("incarnation", Long.toHexString(node.self().incarnation()));
    state.put("generation", node.self().process().generation());
    state.put("fenced", status.fencing().raised());
    state.put("ready", status.serving().ready());
    state.put("version", node.self().release().version());
    state.put("protocols", node.self().release().protocols().toString());
    state.put("features", supported());
    state.put("activeFeatures", Feature.labels(node.self().features().get()));
    state.put("epoch", change.epochSeen());
    state.put("topologyEpoch", topology.epoch());
    state.put("phase", topology.phase().name());
    state.put("member", status.serving().member());
    state.put("members", topology.members().stream().map(this::member).toList());
    state.put("slots", Slots.COUNT);
    state.put("replication", node.core().background().replication());
    state.put("hintBytes", node.store().bytes());
    RepairReport repair = node.repair();
    state.put("rebuilding", repair.rebuilding());
    state.put("blank", repair.blank());
    state.put("restoring", node.restores().current());
    state.put("slotsBack", repair.slotsBack());
    state.put("lostKeyRanges", repair.lost().ranges().stream().map(KvorumEndpoint::range).toList());
    state.put("repair", repair(repair));
    TransferReport report = change.transfer();
    state.put("transfer", transfer(report));
    boolean changing = report.state() != TransferReport.State.NONE;
    state.put("transfers", changing ? List.of(transfer(report)) : List.of());
    state.put("cleanedUp", change.cleanedUp());
    state.put("hintsWaiting", hintsWaiting(topology));
    state.put("certificates", certificates());
    state.put("users", users.digest());
    StoreStats stats = store.get();
    state.put("dataBytes", stats.database().dataBytes());
    state.put("diskFreeBytes", stats.diskFreeBytes());
    return state;
  }

  /** By port with TLS: an operator sees by it that a node has read new files. */
  private Map<String, String> certificates() {
    return tls.stream()
        .filter(port -> port.mode() != TlsMode.OFF)
        .collect(Collectors.toMap(TlsPort::name, TlsPort::digest));
  }

  private List<String> supported() {
    return Stream.concat(
            CHANGES.stream(), Feature.labels(node.self().release().features()).stream())
        .toList();
  }

  /**
   * Accepts a loss of data. With {@code lost-key-ranges}, records that are absent after the
   * corruption of a store are reported as absent again. With {@code lost-disks}, it accepts that
   * all records were lost with a majority of disks. Returns what was accepted.
   */
  @DeleteOperation
  public Map<String, Object> accept(@Selector String what) {
    if (what.equals("lost-disks")) {
      node.founding().acceptLostDisks();
      return Map.of("accepted", what);
    }
    if (!what.equals("lost-key-ranges")) {
      throw new InvalidEndpointRequestException(
          "nothing of this name can be accepted: "
              + what
              + "; there are lost-key-ranges and lost-disks",
          "unknown name");
    }
    List<Map<String, String>> lost =
        node.repair().lost().ranges().stream().map(KvorumEndpoint::range).toList();
    node.core().repair().acceptLoss();
    return Map.of("accepted", lost);
  }

  /** Bounds as text; empty if they are open. */
  private static Map<String, String> range(KeyRange range) {
    return Map.of(
        "from", range.start().map(Key::toString).orElse(""),
        "before", range.end().map(Key::toString).orElse(""));
  }

  private static Map<String, Object> transfer(TransferReport report) {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("epoch", report.epoch());
    state.put("state", report.state().name());
    state.put("sources", report.sources());
    state.put("sourcesDone", report.sourcesDone());
    state.put("records", report.records());
    state.put("bytes", report.bytes());
    return state;
  }

  private long hintsWaiting(Topology topology) {
    return topology.members().stream().mapToLong(member -> node.store().count(member.id())).sum();
  }

  private static Map<String, Object> repair(RepairReport report) {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("slotsNeverCompared", report.slotsNeverCompared());
    state.put("oldestComparison", report.oldestComparison().map(Instant::toString).orElse("never"));
    state.put("peers", report.peers().stream().map(KvorumEndpoint::peer).toList());
    return state;
  }

  private static Map<String, Object> peer(RepairReport.PeerReport report) {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("name", report.peer().name());
    state.put("pulled", report.pulled().map(Instant::toString).orElse("never"));
    state.put("pulledBy", report.pulledBy().map(Instant::toString).orElse("never"));
    state.put("pull", report.pull().orElse("none"));
    return state;
  }

  private Map<String, Object> member(Member member) {
    boolean self = member.id().equals(node.self().id());
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("name", member.id().name());
    state.put("zone", member.zone());
    state.put("state", member.state().name());
    if (member.state() == MemberState.MOVING) {
      state.put("nextZone", member.nextZone());
    }
    PeerReleases releases = node.core().handshakes().releases();
    Optional<Release> release =
        self ? Optional.of(node.self().release()) : releases.of(member.id());
    state.put("version", release.map(Release::version).orElse(""));
    state.put("protocols", release.map(it -> it.protocols().toString()).orElse(""));
    state.put("connected", self || node.isConnected(member.id()));
    state.put("hints", node.store().count(member.id()));
    return state;
  }
}
