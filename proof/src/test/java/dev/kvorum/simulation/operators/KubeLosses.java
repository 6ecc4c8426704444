package dev.kvorum.simulation.operators;

import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.view.TaskView;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.topology.MemberId;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Machines that are lost, or cut off so that they look lost, and people who let their members be
 * removed, or change their minds. Some machines are found again.
 */
final class KubeLosses {
  private static final long POLL_MILLIS = 100;
  private static final int REPLICATION = 3;

  private final PlannedOperator operator;
  private final SimCluster cluster;
  private final SplittableRandom random;
  private @Nullable MemberId lost;
  private int tasks;

  KubeLosses(PlannedOperator operator, SplittableRandom random) {
    this.operator = operator;
    this.cluster = operator.cluster;
    this.random = random;
  }

  /** In some runs: while a member is lost, no other change is made. */
  void begin() {
    if (cluster.profile.wipes() && random.nextInt(3) == 0) {
      goOn();
    }
  }

  private void goOn() {
    operator.after(
        500 + random.nextLong(5000),
        () -> {
          if (!operator.isOver()) {
            lose();
            goOn();
          }
        });
  }

  /** A removal that has started is brought to its end. */
  void end() {
    TaskView task = operator.api().task();
    if (task != null && !task.started()) {
      operator.api().task(null);
    }
    find();
  }

  private void lose() {
    SimNode node = cluster.anyNode(random);
    boolean may =
        lost == null
            && operator.api().task() == null
            && operator.isMember(node.id)
            && (operator.topology().members().size() > REPLICATION || random.nextInt(8) == 0)
            && cluster.areOthersComplete(node);
    if (!may) {
      return;
    }
    cluster.trace.note("lost " + node.id);
    operator.count("lost");
    lost = node.id;
    node.isLost = true;
    if (random.nextInt(3) > 0) {
      cluster.crash(node, false);
    }
    operator.after(random.nextLong(2000), () -> ask(node.id));
    long patience = random.nextInt(4) == 0 ? random.nextLong(3000) : 20_000;
    operator.after(2000 + patience, () -> giveUp(node.id));
  }

  private void ask(MemberId id) {
    if (id.equals(lost) && !operator.isOver()) {
      operator
          .api()
          .task(
              new TaskView(
                  "t" + tasks++,
                  TaskAction.REMOVE,
                  KubeTexts.pod(id),
                  false,
                  Optional.empty(),
                  false));
      operator.changed();
      watch(id);
    }
  }

  private void giveUp(MemberId id) {
    if (id.equals(lost) && operator.api().task() != null) {
      operator.count("task-deleted");
      operator.api().task(null);
      operator.changed();
    }
  }

  private void watch(MemberId id) {
    if (!id.equals(lost)) {
      return;
    }
    if (operator.api().task() != null) {
      operator.after(POLL_MILLIS, () -> watch(id));
      return;
    }
    operator.after(random.nextLong(3000), () -> isAway(id));
  }

  /** A removed member's pod may be replaced; any other one can only be found again. */
  private void isAway(MemberId id) {
    if (!id.equals(lost)) {
      return;
    }
    SimNode node = cluster.byId().get(id);
    if (node != null && !operator.isMember(id) && random.nextBoolean()) {
      cluster.trace.note("replaced " + id);
      lost = null;
      operator.pods().replaceLost(node);
    } else {
      find();
    }
  }

  private void find() {
    SimNode node = lost == null ? null : cluster.byId().get(lost);
    lost = null;
    if (node != null) {
      cluster.trace.note("found " + node.id);
      node.isLost = false;
      node.start();
    }
  }
}
