package dev.kvorum.boot;

import dev.kvorum.config.NodeSettings;
import dev.kvorum.coordinator.RangeSettings;
import dev.kvorum.http.AccessControl;
import dev.kvorum.http.AdmissionControl;
import dev.kvorum.http.EntityHandler;
import dev.kvorum.http.EntityRoutes;
import dev.kvorum.http.ExplainHandler;
import dev.kvorum.http.RangeHandler;
import dev.kvorum.http.RangeStreamLimiter;
import dev.kvorum.http.RequestLog;
import dev.kvorum.metrics.Meters;
import dev.kvorum.node.Node;
import dev.kvorum.repair.RepairReport;
import dev.kvorum.topology.Feature;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** The routes of the public API of one node. */
public final class NodeRoutes {
  private NodeRoutes() {}

  /** Creates the routes with all of their handlers. */
  public static EntityRoutes of(
      Node node,
      NodeSettings settings,
      RangeSettings range,
      AccessControl access,
      AdmissionControl admission,
      RangeStreamLimiter places,
      RequestLog log,
      Meters meters) {
    IntSupplier fromMax = () -> node.core().layout().fromMax();
    Supplier<RepairReport> repair = new ExpiringSupplier<>(node::repair);
    return new EntityRoutes(
        new EntityHandler(
            node::coordinator,
            fromMax,
            access,
            admission,
            node.store()::diskFreeBytes,
            () -> node.self().features().contains(Feature.CONTENT_TYPE),
            settings.http(),
            log),
        new RangeHandler(
            node::coordinator,
            fromMax,
            access,
            range,
            places,
            () -> node.self().features().contains(Feature.REVERSE_SCAN),
            log,
            meters),
        new ExplainHandler(
            node::coordinator,
            fromMax,
            access,
            admission,
            settings.http(),
            log,
            peer -> repair.get().pulledFrom(peer)),
        node.core().background()::isRestoring);
  }
}
