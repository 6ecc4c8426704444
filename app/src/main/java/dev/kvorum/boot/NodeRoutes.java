package dev.kvorum.boot;

import dev.kvorum.config.NodeSettings;
import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.coordinator.RangeSettings;
import dev.kvorum.http.AccessControl;
import dev.kvorum.http.AdmissionControl;
import dev.kvorum.http.EntityHandler;
import dev.kvorum.http.EntityRoutes;
import dev.kvorum.http.ExplainHandler;
import dev.kvorum.http.RangeHandler;
import dev.kvorum.http.RangeStreamLimiter;
import dev.kvorum.http.RequestLog;
import dev.kvorum.http.ServingNode;
import dev.kvorum.metrics.Meters;
import dev.kvorum.node.Node;
import dev.kvorum.repair.RepairReport;
import dev.kvorum.topology.Feature;
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
    ServingNode serving = serving(node);
    Supplier<RepairReport> repair = new ExpiringSupplier<>(node::repair);
    return new EntityRoutes(
        new EntityHandler(serving, access, admission, settings.http(), log),
        new RangeHandler(serving, access, range, places, log, meters),
        new ExplainHandler(
            serving,
            access,
            admission,
            settings.http(),
            log,
            peer -> repair.get().pulledFrom(peer)),
        node.core().background()::isRestoring);
  }

  private static ServingNode serving(Node node) {
    return new ServingNode() {
      @Override
      public Coordinator coordinator() {
        return node.coordinator();
      }

      @Override
      public int fromMax() {
        return node.core().layout().fromMax();
      }

      @Override
      public boolean isActive(Feature feature) {
        return node.self().features().contains(feature);
      }

      @Override
      public long diskFreeBytes() {
        return node.store().diskFreeBytes();
      }
    };
  }
}
