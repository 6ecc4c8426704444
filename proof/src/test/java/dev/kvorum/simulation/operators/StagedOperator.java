package dev.kvorum.simulation.operators;

import dev.kvorum.data.Key;
import dev.kvorum.placement.Layout;
import dev.kvorum.simulation.clients.Script;
import dev.kvorum.simulation.clients.Stage;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.run.Profile.HotKey;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets members leave in scenes, and join again in between. In a scene, each epoch reaches the nodes
 * that the scene selects.
 */
public final class StagedOperator extends SimOperator {
  private final Stage stage;
  private final ChangeScenes scenes;
  private boolean playing;

  /**
   * Who is who in a scene.
   *
   * @param leaver one of the replicas before
   * @param stays another one, after as well
   * @param behind the third
   * @param gainer replaces the leaver
   * @param outsider keeps none of the probes
   */
  record Cast(
      SimNode leaver,
      SimNode stays,
      SimNode behind,
      SimNode gainer,
      SimNode outsider,
      List<HotKey> probes) {}

  public StagedOperator(SimCluster cluster, Topology first, Function<Topology, Layout> layouts) {
    super(cluster, first, layouts);
    stage = new Stage(cluster, random.split(), this::isOver);
    scenes = new ChangeScenes(this, stage);
  }

  @Override
  boolean isLingering() {
    return playing;
  }

  @Override
  protected void remind() {
    if (!playing) {
      super.remind();
    }
  }

  @Override
  protected void publish(Topology next) {
    if (playing) {
      write(next);
    } else {
      super.publish(next);
    }
  }

  @Override
  void begin() {
    Cast cast = topology().members().size() < cluster.profile.members() ? null : cast();
    if (cast == null) {
      join();
      return;
    }
    playing = true;
    cluster.quiet = true;
    // What clients had begun is over then, and no clock ahead of the time because of it.
    Script scene = stage.script().pause(2200).until(this::haveAllReported, 1000);
    scenes.add(scene, cast);
    scene.play(() -> {
      playing = false;
      cluster.quiet = false;
      stage.clear();
      notifyAllNodes();
    });
  }

  /** Every node receives the newest epoch at once. */
  void notifyAllNodes() {
    cluster.nodes().forEach(node -> notifyNode(node, 0));
  }

  /** Begins the next phase, which every node receives. */
  void proceed(Phase phase) {
    publish(phase, true);
    notifyAllNodes();
  }

  private @Nullable Cast cast() {
    MemberId leaver = topology().members().get(random.nextInt(topology().members().size())).id();
    List<Member> rest =
        topology().members().stream()
            .filter(member -> !member.id().equals(leaver))
            .map(member -> new Member(member.id(), member.zone(), MemberState.ACTIVE))
            .toList();
    Topology without = new Topology(topology().clusterId(), topology().epoch(), Phase.STABLE, rest);
    Set<Set<MemberId>> sides = new HashSet<>();
    List<HotKey> probes =
        stage.probes(
            true,
            key -> {
              if (!gainsOne(without, leaver, key)) {
                return false;
              }
              Set<MemberId> after = Set.copyOf(keepers(without, key, 3));
              if (sides.isEmpty()) {
                sides.add(after);
                sides.add(Set.copyOf(keepers(key, 3)));
              }
              return sides.contains(after) && sides.contains(Set.copyOf(keepers(key, 3)));
            });
    if (probes.isEmpty()) {
      return null;
    }
    Key one = probes.getFirst().key();
    List<MemberId> before = keepers(one, 3);
    List<MemberId> after = keepers(without, one, 3);
    List<MemberId> both = before.stream().filter(after::contains).toList();
    int turn = random.nextInt(2);
    return new Cast(
        node(leaver),
        node(both.get(turn)),
        node(both.get(1 - turn)),
        node(after.stream().filter(id -> !before.contains(id)).findFirst().orElseThrow()),
        node(
            rest.stream()
                .map(Member::id)
                .filter(id -> !before.contains(id) && !after.contains(id))
                .findFirst()
                .orElseThrow()),
        probes);
  }

  private boolean gainsOne(Topology without, MemberId leaver, Key key) {
    List<MemberId> before = keepers(key, 3);
    List<MemberId> after = keepers(without, key, 3);
    return before.contains(leaver) && after.stream().filter(before::contains).count() == 2;
  }

  private SimNode node(MemberId id) {
    return Objects.requireNonNull(cluster.byId().get(id));
  }
}
