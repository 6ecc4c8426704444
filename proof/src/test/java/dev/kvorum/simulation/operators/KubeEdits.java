package dev.kvorum.simulation.operators;

import dev.kvorum.simulation.run.Bias;
import java.util.List;
import java.util.SplittableRandom;

/** People: they change what the cluster should be, and their minds, and reach past the operator. */
final class KubeEdits {
  private static final int MEMBERS_MIN = 3;
  private static final int MORE_MEMBERS_MAX = 2;

  private final PlannedOperator operator;
  private final KubeObjects api;
  private final SplittableRandom random;
  private int templates;

  KubeEdits(PlannedOperator operator, SplittableRandom random) {
    this.operator = operator;
    this.api = operator.api();
    this.random = random;
  }

  void begin() {
    // Many change their minds at once.
    long least = isAboutScaling() ? 2500 : 500;
    long millis = random.nextInt(4) == 0 ? random.nextLong(400) : least + random.nextLong(4000);
    operator.after(
        millis,
        () -> {
          if (!operator.isOver()) {
            edit();
            begin();
          }
        });
  }

  /** Asks for what can be had. */
  void end() {
    if (api.template.startsWith("broken")) {
      update("t");
    }
  }

  private boolean isAboutScaling() {
    return operator.cluster.profile.bias() == Bias.PLANS;
  }

  private void edit() {
    operator.changed();
    if (isAboutScaling() && random.nextInt(12) > 0) {
      scale();
      return;
    }
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4, 5 -> scale();
      case 6, 7, 8 -> update("t");
      case 9 -> update("broken");
      case 10 -> deletePod();
      default -> {
        operator.count("scaled-by-hand");
        api.scaleByHand(1 + random.nextInt(api.replicas + 1));
      }
    }
  }

  private void scale() {
    int most = operator.cluster.profile.members() + MORE_MEMBERS_MAX;
    if (isAboutScaling() && random.nextInt(4) > 0) {
      // Two changes in a row: what the first one has not copied is with a minority then.
      api.replicas = api.replicas > MEMBERS_MIN ? MEMBERS_MIN : MEMBERS_MIN + 2;
    } else {
      api.replicas = MEMBERS_MIN + random.nextInt(most - MEMBERS_MIN + 1);
    }
    operator.cluster.trace.note("replicas " + api.replicas);
  }

  private void update(String kind) {
    templates++;
    api.template = kind + templates;
    operator.cluster.trace.note("template " + api.template);
  }

  private void deletePod() {
    List<SimPod> pods = api.allPods();
    if (!pods.isEmpty()) {
      operator.count("deleted-pod");
      operator.pods().delete(pods.get(random.nextInt(pods.size())));
    }
  }
}
