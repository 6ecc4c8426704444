package dev.kvorum.simulation.operators;

import dev.kvorum.simulation.clients.Script;
import dev.kvorum.simulation.clients.Stage;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.operators.StagedOperator.Cast;
import dev.kvorum.simulation.run.Profile;
import dev.kvorum.simulation.run.Profile.HotKey;
import dev.kvorum.topology.Phase;
import java.util.List;

/**
 * What could go wrong in each step of a change of the members (ADR 0011): of three replicas one
 * leaves, another member takes its place, and writes reach just so many of them that a rule is
 * needed.
 */
final class ChangeScenes {
  private static final long STEP_MAX_MILLIS = 8000;

  private final StagedOperator operator;
  private final Stage stage;

  ChangeScenes(StagedOperator operator, Stage stage) {
    this.operator = operator;
    this.stage = stage;
  }

  /** One of the scenes. */
  void add(Script script, Cast cast) {
    switch (stage.random.nextInt(3)) {
      case 0 -> writeBehindTheFirstCopy(script, cast);
      case 1 -> writeBeforeTheFirstCopy(script, cast);
      default -> writeByTheNewSet(script, cast);
    }
  }

  private void leave(Script script, Cast cast) {
    script.then(() -> {
      operator.leave(cast.leaver().id);
      operator.notifyAllNodes();
    });
  }

  private void proceedToSettling(Script script) {
    script
        .until(operator::haveAllReported, STEP_MAX_MILLIS)
        .then(() -> operator.proceed(Phase.SETTLING))
        .until(operator::haveAllReported, STEP_MAX_MILLIS);
  }

  /** Reads of the new set, of which those that are left have not answered writes. */
  private void readTheNewSet(Script script, Cast cast) {
    script
        .then(() -> operator.proceed(Phase.STABLE))
        .until(this::haveAllReceivedEpoch, STEP_MAX_MILLIS)
        .then(() -> {
          stage.part(cast.stays(), cast.behind(), cast.gainer());
          stage.read(cast.behind(), cast.probes());
          stage.read(cast.gainer(), cast.probes());
        })
        .pauseUntil(stage::isIdle, 900);
  }

  private boolean haveAllReceivedEpoch() {
    return stage.cluster.nodes().stream()
        .allMatch(node -> node.process() != null && epochOf(node) == operator.topology().epoch());
  }

  private static long epochOf(SimNode node) {
    SimProcess process = node.process();
    return process == null ? 0 : process.core().epochSeen();
  }

  /**
   * A write of a slow clock is on two of the old replicas, of which one leaves, and a read has
   * shown it: the second copy has to bring it over.
   */
  private void writeBehindTheFirstCopy(Script script, Cast cast) {
    List<HotKey> probes = cast.probes();
    List<HotKey> rest = probes.subList(1, probes.size());
    script.then(() -> stage.setClock(cast.outsider(), -Profile.CLOCK_BOUND_MILLIS));
    script.pause(600);
    leave(script, cast);
    script
        .until(operator::haveAllReported, STEP_MAX_MILLIS)
        // The first that comes is newer than what follows.
        .then(() -> stage.put(cast.leaver(), probes.getFirst()))
        .pauseUntil(stage::isIdle, 60)
        .then(() -> {
          stage.cut(cast.outsider(), cast.behind(), cast.gainer());
          stage.cut(cast.leaver(), cast.behind());
          stage.cut(cast.stays(), cast.behind());
          stage.put(cast.outsider(), rest);
        })
        .pause(1)
        .then(() -> stage.uncut(cast.outsider(), cast.behind(), cast.gainer()))
        .pause(15)
        .then(() -> {
          stage.read(cast.leaver(), rest);
          stage.read(cast.stays(), rest);
        })
        .pause(100)
        .then(() -> {
          stage.uncut(cast.leaver(), cast.behind());
          stage.uncut(cast.stays(), cast.behind());
        });
    proceedToSettling(script);
    readTheNewSet(script, cast);
  }

  /**
   * A write waits in the queues of two old replicas, of which one leaves, when the copying begins.
   * Its coordinator ends before it leaves a hint for the third.
   */
  private void writeBeforeTheFirstCopy(Script script, Cast cast) {
    long millis = 200 + stage.random.nextLong(150);
    script
        .then(() -> {
          stage.slowDown(cast.leaver(), millis);
          stage.slowDown(cast.stays(), millis);
          stage.cut(cast.outsider(), cast.behind());
          stage.put(cast.outsider(), cast.probes());
        })
        .pause(1)
        .then(() -> stage.uncut(cast.outsider(), cast.behind()))
        .pause(4 + stage.random.nextLong(12));
    leave(script, cast);
    script
        .pauseUntil(stage::isIdle, 900)
        .then(() -> stage.cluster.crash(cast.outsider(), false))
        .pause(20)
        .then(() -> {
          cast.outsider().start();
          cast.leaver().disk.slowMillis = 0;
          cast.stays().disk.slowMillis = 0;
        });
    proceedToSettling(script);
    readTheNewSet(script, cast);
  }

  /** One node is the first to receive the stable epoch, and writes to the new set only. */
  private void writeByTheNewSet(Script script, Cast cast) {
    List<SimNode> writers = List.of(cast.behind(), cast.gainer(), cast.outsider());
    SimNode writer = writers.get(stage.random.nextInt(writers.size()));
    leave(script, cast);
    proceedToSettling(script);
    script
        .then(() -> {
          operator.publish(Phase.STABLE, true);
          operator.notifyNode(writer, 0);
        })
        .until(() -> epochOf(writer) == operator.topology().epoch(), 500)
        .then(() -> {
          stage.cut(writer, cast.stays());
          stage.put(writer, cast.probes());
        })
        .pause(1)
        .then(() -> stage.uncut(writer, cast.stays()))
        .pauseUntil(stage::isIdle, 30)
        .then(() -> {
          stage.cut(cast.leaver(), cast.behind());
          stage.cut(cast.stays(), cast.behind());
          stage.read(cast.leaver(), cast.probes());
          stage.read(cast.stays(), cast.probes());
        })
        .pauseUntil(stage::isIdle, 900);
  }
}
