package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Reason;

/** A world and the next steps that are planned for it. */
abstract class Planned {
  final World world = new World();

  Step next() {
    return ClusterPlanner.plan(world.observe()).step();
  }

  static void assertWaits(Step step, Reason reason) {
    assertThat(step)
        .isInstanceOfSatisfying(Step.Wait.class, it -> assertThat(it.reason()).isEqualTo(reason));
  }

  static void assertRejects(Step step, Reason reason) {
    assertThat(step)
        .isInstanceOfSatisfying(Step.Reject.class, it -> assertThat(it.reason()).isEqualTo(reason));
  }

  void born() {
    assertThat(world.run()).isInstanceOf(Step.Rest.class);
    assertThat(world.members()).hasSize(3);
  }

  /** Takes steps, with the nodes' progress in between, until one of this kind is next. */
  <T> T until(Class<T> kind) {
    for (int taken = 0; taken < 100; taken++) {
      Step step = next();
      Object what = step instanceof Step.NextEpoch change ? change.change() : step;
      if (kind.isInstance(what)) {
        return kind.cast(what);
      }
      world.apply(step);
      world.converge();
    }
    throw new AssertionError("no " + kind.getSimpleName() + " comes");
  }
}
