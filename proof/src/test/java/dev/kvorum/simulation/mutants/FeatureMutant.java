package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Profile;
import java.util.List;

/** Rules of ADR 0030, features that activate together, broken one by one. */
enum FeatureMutant implements Defect {
  USES_A_FEATURE_BEFORE_ALL_HAVE_IT(
      Patch.answers("node.FeatureAgreement", "common", "retainAll", false)),
  FORGETS_ACTIVE_FEATURES(Patch.omits("topology.ActiveFeatures", "activate", "accept")),
  STORES_A_RECORD_OF_AN_INACTIVE_FEATURE(Patch.returns("node.FeatureGate", "isAllowed", true)),
  CONNECTS_TO_RELEASES_WITHOUT_A_FEATURE(
      Patch.redirects("rpc.HandshakePolicy", "check", "lacking", BrokenRules.class, "lacksNothing"),
      Patch.answers("rpc.HandshakePolicy", "enter", "lacksFeature", false)),
  KEEPS_CONNECTIONS_TO_RELEASES_WITHOUT_A_FEATURE(Patch.skips("rpc.HandshakePolicy", "cutOff"));

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  FeatureMutant(Patch... patches) {
    this.patches = List.of(patches);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }

  @Override
  public boolean canShowIn(Profile profile) {
    return profile.bias() == Bias.UPGRADES;
  }
}
