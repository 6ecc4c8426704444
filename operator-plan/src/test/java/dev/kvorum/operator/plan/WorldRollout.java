package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.RolloutFailure;
import dev.kvorum.operator.api.RolloutSpec;
import dev.kvorum.operator.view.RolloutView;
import dev.kvorum.operator.view.StatefulSetView;
import java.util.Optional;

/** What a world's StatefulSet records about its last update. */
final class WorldRollout {
  RolloutSpec spec = new RolloutSpec(RolloutFailure.ROLLBACK, "10m");
  Optional<String> fallback = Optional.empty();
  String fallbackImage = "";
  boolean securityDiffers;
  StatefulSetView.Template template = StatefulSetView.Template.KEPT;
  Optional<RolloutView.FailedUpdate> failed = Optional.empty();

  void deadline(String next) {
    spec = new RolloutSpec(spec.onFailure(), next);
  }

  RolloutView view() {
    return new RolloutView(fallback, securityDiffers, failed);
  }

  void update(World world, Step.UpdateStatefulSet step) {
    if (step.rolledOut()) {
      fallback = Optional.of(world.setHash);
      fallbackImage = world.setImage;
    }
    failed = Optional.empty();
    template = StatefulSetView.Template.KEPT;
    world.setHash = world.specHash;
    world.setImage = world.image;
  }

  void back(World world, Step.RollBack step) {
    failed = Optional.of(new RolloutView.FailedUpdate(step.failed(), step.why()));
    template = StatefulSetView.Template.KEPT;
    world.setHash = fallback.orElseThrow();
    world.setImage = fallbackImage;
  }

  /** A new StatefulSet records nothing. */
  void forget() {
    fallback = Optional.empty();
    failed = Optional.empty();
  }
}
