package dev.kvorum.simulation.operators;

import dev.kvorum.operator.plan.ClusterPlanner;
import dev.kvorum.operator.plan.EpochChange;
import dev.kvorum.operator.plan.Step;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.placement.Layout;
import dev.kvorum.simulation.clients.Stage;
import dev.kvorum.simulation.cluster.MembersOperator;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.operators.KubeObjects.Versions;
import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Profile;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The operator's own planner decides every step. What it sees has been read piece by piece, some of
 * it a while ago; requests fail, or are carried out and fail; between any two of them the operator
 * may be killed.
 */
public final class PlannedOperator extends MembersOperator {
  private static final long TICK_MILLIS = 100;

  /** One of so many requests fails. */
  private static final int FAILURE_ONE_IN = 40;

  private final KubeObjects api;
  private final SimPods pods;
  private final KubeView view;
  private final KubeEdits edits;
  private final KubeLosses losses;
  private final PlanProbes probes;
  private int life;
  private boolean atRest;

  public PlannedOperator(SimCluster cluster, Topology first, Function<Topology, Layout> layouts) {
    super(cluster, first, layouts);
    pods = new SimPods(this, random.split());
    api = new KubeObjects(KubeTexts.spec(first), pods);
    view = new KubeView(cluster, api);
    edits = new KubeEdits(this, random.split());
    // What else happens does not depend on them.
    losses = new KubeLosses(this, new SplittableRandom(cluster.profile.seed() * 61));
    SplittableRandom own = new SplittableRandom(cluster.profile.seed() * 47);
    probes = new PlanProbes(this, new Stage(cluster, own, this::isOver));
  }

  /**
   * Whether the planner is in a run; in the others members change in ways that it does not choose.
   */
  public static boolean isIn(Profile profile) {
    return profile.changes()
        && (profile.bias() == Bias.PLANS
            || ((profile.bias() == Bias.NONE || profile.bias() == Bias.UPGRADES)
                && new SplittableRandom(~profile.seed() * 41).nextInt(5) > 0));
  }

  KubeObjects api() {
    return api;
  }

  SimPods pods() {
    return pods;
  }

  @Override
  public void start() {
    pods.applyStreamed();
    edits.begin();
    losses.begin();
    tick();
    poll();
  }

  @Override
  public void end() {
    super.end();
    edits.end();
    losses.end();
    atRest = false;
  }

  @Override
  public boolean isFounded() {
    return api.founded;
  }

  @Override
  public void watchFounding() {
    // The planner writes it down.
  }

  @Override
  public boolean activatesFeatures() {
    return true;
  }

  @Override
  public boolean isAtRest() {
    return atRest && super.isAtRest();
  }

  /** The operator's process ends, and another one starts. */
  void kill(long downMillis) {
    int next = ++life;
    after(
        downMillis,
        () -> {
          if (life == next) {
            poll();
          }
        });
  }

  /** Something has changed that the operator has not looked at. */
  void changed() {
    atRest = false;
  }

  private void tick() {
    if (!cluster.invariants.violations().isEmpty()) {
      return;
    }
    remind();
    if (cluster.profile.bias() == Bias.PLANS && !isOver()) {
      probes.poll();
    }
    pods.tick();
    if (topology().phase() == Phase.STABLE && super.isAtRest()) {
      dropFormerLayout();
    }
    after(TICK_MILLIS, this::tick);
  }

  private void poll() {
    if (!cluster.invariants.violations().isEmpty()) {
      return;
    }
    Deque<Consumer<OperatorSnapshot>> reads = new ArrayDeque<>();
    reads.add(seen -> {
      seen.set = view.set();
      seen.setVersion = api.setVersion();
    });
    reads.add(seen -> {
      seen.topology = view.topology();
      seen.topologyVersion = api.topologyVersion();
    });
    reads.add(seen -> {
      seen.pods = view.pods();
      seen.podVersions = api.podVersions();
    });
    reads.add(seen -> {
      seen.task = api.task();
      seen.taskVersion = api.taskVersion();
    });
    reads.add(seen -> seen.pods = asked(seen.pods));
    next(new OperatorSnapshot(life, api.template, view.spec()), reads);
  }

  private SortedMap<Integer, PodView> asked(SortedMap<Integer, PodView> seen) {
    SortedMap<Integer, PodView> asked = new TreeMap<>();
    seen.forEach((ordinal, pod) ->
        asked.put(ordinal, random.nextInt(FAILURE_ONE_IN) == 0 ? pod : view.asked(pod)));
    return asked;
  }

  /** One read, and after a while the next; in the end what is to be done. */
  private void next(OperatorSnapshot seen, Deque<Consumer<OperatorSnapshot>> reads) {
    if (seen.life != life) {
      return;
    }
    if (fails()) {
      later(seen.life);
      return;
    }
    Consumer<OperatorSnapshot> read = reads.poll();
    if (read == null) {
      decide(seen);
    } else {
      read.accept(seen);
      after(delayMillis(), () -> next(seen, reads));
    }
  }

  private boolean fails() {
    return !isOver() && random.nextInt(FAILURE_ONE_IN) == 0;
  }

  private long delayMillis() {
    return random.nextInt(15) == 0 ? random.nextLong(1000) : random.nextLong(15);
  }

  private void decide(OperatorSnapshot seen) {
    Observed observed = view.observed(seen);
    Step step = ClusterPlanner.plan(observed).step();
    atRest = step instanceof Step.Rest;
    if (step instanceof Step.Wait || step instanceof Step.Reject || atRest) {
      again(seen.life, atRest ? 300 : 100);
      return;
    }
    boolean isLost = fails();
    boolean isAnswerLost = fails();
    after(
        delayMillis(),
        () -> {
          // A request in flight arrives, even if its sender has ended.
          boolean written = !isLost && write(seen, step);
          if (seen.life == life) {
            if (!isOver() && random.nextInt(12) == 0) {
              count("operator-killed");
              kill(200 + random.nextLong(3000));
            } else if (written && !isAnswerLost) {
              again(seen.life, 5);
            } else {
              later(seen.life);
            }
          }
        });
  }

  private void later(int ofLife) {
    again(ofLife, 300);
  }

  private void again(int ofLife, long millis) {
    after(
        millis + random.nextLong(millis),
        () -> {
          if (ofLife == life) {
            poll();
          }
        });
  }

  private boolean write(OperatorSnapshot seen, Step step) {
    Versions planned =
        new Versions(seen.setVersion, seen.topologyVersion, seen.taskVersion, seen.podVersions);
    boolean written = api.write(step, planned, seen.template);
    String kind = kind(step);
    cluster.trace.note((written ? "operator " : "conflict of ") + kind);
    if (written) {
      count(kind);
      if (step instanceof Step.NextEpoch) {
        disturb();
        publish(KubeTexts.topology(api.topology));
      }
    }
    return written;
  }

  /** Where changes are what a run is about, copying takes its time. */
  private void disturb() {
    if (cluster.profile.bias() == Bias.PLANS && !isOver()) {
      cluster.disturb(random);
    }
  }

  private static String kind(Step step) {
    return switch (step) {
      case Step.NextEpoch next ->
          switch (next.change()) {
            case EpochChange.AnnounceJoining _ -> "join";
            case EpochChange.AnnounceLeaving _ -> "leave";
            case EpochChange.AnnounceRemoving _ -> "remove";
            case EpochChange.AnnounceMoving _ -> "move";
            case EpochChange.BeginSettling _ -> "settling";
            case EpochChange.MakeStable _ -> "changed";
            case EpochChange.Cancel _ -> "cancelled";
            case EpochChange.ActivateFeatures _ -> "features";
          };
      case Step.RestartPod _ -> "restarted-pod";
      case Step.ScaleStatefulSet _ -> "scaled";
      default -> step.getClass().getSimpleName();
    };
  }
}
