package dev.kvorum.plugin;

import dev.kvorum.cli.CommandLines;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code topology}. */
@Command(
    name = "topology",
    description = "Saves the members of a cluster under their epoch, or writes them again.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = {TopologyCommand.Save.class, TopologyCommand.Restore.class})
final class TopologyCommand {
  private static final Map<String, String> NAME_LABEL = Map.of("app.kubernetes.io/name", "kvorum");

  TopologyCommand() {}

  /** {@code topology save}. */
  @Command(
      name = "save",
      description = {
        "Prints the topology as YAML.",
        "With --from-nodes the newest one that a node reports, also if the API server has none."
      },
      mixinStandardHelpOptions = true,
      sortOptions = false)
  static final class Save extends ClusterCommand {
    @Option(names = "--from-nodes", description = "what the nodes have")
    private boolean isFromNodes;

    Save() {}

    @Override
    int run(Target target) throws InterruptedException {
      KvorumCluster cluster = target.cluster();
      KvorumTopologySpec spec =
          isFromNodes
              ? newest(target, cluster, err()::println)
              : current(target, cluster)
                  .map(KvorumTopology::getSpec)
                  .orElseThrow(() ->
                      Target.failed(
                          "There is no KvorumTopology "
                              + cluster.getMetadata().getName()
                              + "; --from-nodes asks the nodes"));
      out().print(Serialization.asYaml(object(cluster, spec)));
      out().flush();
      return 0;
    }
  }

  /** {@code topology restore}. */
  @Command(
      name = "restore",
      description = {
        "Writes the topology that was saved, or that the nodes have, over that of the API server.",
        "For a cluster that reports TopologyBehind: an older topology was restored with its"
            + " objects. A lost one is restored by the operator itself."
      },
      mixinStandardHelpOptions = true,
      sortOptions = false)
  static final class Restore extends ClusterCommand {
    @Parameters(
        paramLabel = "FILE",
        arity = "0..1",
        description = "what `topology save` printed; default: what the nodes have")
    private @Nullable Path file;

    Restore() {}

    @Override
    int run(Target target) throws InterruptedException {
      Optional<KvorumTopologySpec> saved = Optional.ofNullable(file).map(Restore::read);
      KvorumCluster cluster = target.cluster();
      KvorumTopologySpec nodes = newest(target, cluster, err()::println);
      KvorumTopologySpec wanted = saved.orElse(nodes);
      if (!wanted.clusterId().equals(nodes.clusterId())) {
        throw Target.failed(
            "The file is of cluster "
                + wanted.clusterId()
                + ", the nodes are of "
                + nodes.clusterId());
      }
      if (wanted.epoch() < nodes.epoch()) {
        throw Target.failed(
            "The file has epoch "
                + wanted.epoch()
                + ", and nodes have seen epoch "
                + nodes.epoch()
                + ": leave out the file to write theirs");
      }
      Optional<KvorumTopology> there = current(target, cluster);
      if (there
          .map(KvorumTopology::getSpec)
          .filter(it -> it.epoch() >= wanted.epoch())
          .isPresent()) {
        out().println("The topology is not behind: its epoch is " + there.get().getSpec().epoch());
        return 0;
      }
      write(target, cluster, there, wanted);
      out().println("Epoch " + wanted.epoch() + " is written");
      return 0;
    }

    private static void write(
        Target target,
        KvorumCluster cluster,
        Optional<KvorumTopology> there,
        KvorumTopologySpec wanted) {
      if (there.isPresent()) {
        // With its resourceVersion: the operator may have written meanwhile.
        KvorumTopology next = there.get();
        next.setSpec(wanted);
        target.client().resource(next).update();
      } else {
        target.client().resource(object(cluster, wanted)).create();
      }
    }

    private static KvorumTopologySpec read(Path file) {
      Optional<KvorumTopologySpec> saved = Optional.empty();
      try {
        saved =
            Optional.ofNullable(
                    Serialization.unmarshal(Files.readString(file), KvorumTopology.class))
                .map(KvorumTopology::getSpec);
      } catch (IOException e) {
        throw Target.wrong(CommandLines.sentence(e));
      } catch (IllegalArgumentException | KubernetesClientException e) {
        // Not YAML, or of something else.
      }
      return saved.orElseThrow(() -> Target.wrong(file + " is not what `topology save` prints"));
    }
  }

  private static Resource<KvorumTopology> resource(Target target, KvorumCluster cluster) {
    return target.topology(cluster.getMetadata().getName());
  }

  private static Optional<KvorumTopology> current(Target target, KvorumCluster cluster) {
    return Optional.ofNullable(resource(target, cluster).get());
  }

  private static KvorumTopology object(KvorumCluster cluster, KvorumTopologySpec spec) {
    String name = cluster.getMetadata().getName();
    Map<String, String> labels = new LinkedHashMap<>(NAME_LABEL);
    labels.put("app.kubernetes.io/instance", name);
    KvorumTopology topology = new KvorumTopology();
    topology.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace(cluster.getMetadata().getNamespace())
            .withLabels(labels)
            .build());
    topology.setSpec(spec);
    return topology;
  }

  /** Receives a warning. */
  private interface Warnings {
    void add(String warning);
  }

  private static KvorumTopologySpec newest(Target target, KvorumCluster cluster, Warnings warnings)
      throws InterruptedException {
    List<Pod> pods = target.pods(cluster);
    NodeReports reports = NodeReports.of(new NodeClient(target, new Access(target, cluster)), pods);
    reports
        .failures()
        .forEach((pod, why) ->
            warnings.add("Without " + pod + ", which may have seen a later epoch: " + why));
    return reports.all().stream()
        .max(Comparator.comparingLong(report -> report.path("topologyEpoch").asLong()))
        .map(TopologyCommand::spec)
        .orElseThrow(() -> Target.failed("No node responds"));
  }

  /** The topology in a node's report. */
  static KvorumTopologySpec spec(JsonNode report) {
    List<TopologyMember> members = new ArrayList<>();
    for (JsonNode member : report.path("members")) {
      members.add(
          new TopologyMember(
              member.path("name").asString(),
              member.path("zone").asString(""),
              MemberState.valueOf(member.path("state").asString()),
              member.has("nextZone") ? member.path("nextZone").asString() : null));
    }
    List<String> features = new ArrayList<>();
    report.path("activeFeatures").forEach(feature -> features.add(feature.asString()));
    return new KvorumTopologySpec(
        report.path("cluster").asString(),
        report.path("topologyEpoch").asLong(),
        TopologyPhase.valueOf(report.path("phase").asString()),
        members,
        features);
  }
}
