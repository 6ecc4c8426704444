package dev.kvorum.node;

import dev.kvorum.rpc.LocalMember;
import dev.kvorum.rpc.Release;
import dev.kvorum.topology.ActiveFeatures;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.MemberId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Activates the features that all members of a static cluster have, once this node is connected to
 * all of them. In other clusters the topology lists the active features. Safe for any thread.
 */
public final class FeatureAgreement {
  private static final Logger log = LoggerFactory.getLogger(FeatureAgreement.class);

  private final LocalMember self;
  private final NodeCore core;
  private final Executor background;

  private FeatureAgreement(LocalMember self, NodeCore core, Executor background) {
    this.self = self;
    this.core = core;
    this.background = background;
  }

  /**
   * Begins to compare this node's release with those of its peers, once it is ready.
   *
   * @param background runs tasks that may block
   */
  public static void begin(LocalMember self, NodeCore core, Executor background) {
    FeatureAgreement agreement = new FeatureAgreement(self, core, background);
    // Not before this node serves: until then it can still be replaced by the release before.
    core.ready()
        .thenRun(() -> {
          core.handshakes().onAdmitted(agreement::check);
          agreement.check();
        });
  }

  private void check() {
    if (!self.features().get().containsAll(common())) {
      background.execute(() -> activate(self.features()));
    }
  }

  private void activate(ActiveFeatures features) {
    try {
      features.activate(common());
    } catch (RuntimeException e) {
      // Tried again with the next connection.
      log.error("The features that all members have cannot be activated", e);
    }
  }

  private Set<Feature> common() {
    Set<Feature> common = new HashSet<>(self.release().features());
    for (MemberId peer : core.peers()) {
      Optional<Release> release =
          core.handshakes().releases().of(peer).filter(known -> core.processes().isConnected(peer));
      common.retainAll(release.map(Release::features).orElse(Set.of()));
    }
    return common;
  }
}
