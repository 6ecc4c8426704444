package dev.kvorum.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.cli.CommandException;
import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.TaskPhase;
import dev.kvorum.operator.api.TopologyPhase;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** Commands on a mock API server, which has no nodes behind it. */
@EnableKubernetesMockClient(crud = true, https = false)
class KubectlKvorumTest {
  private static final String NAMESPACE = "data";

  @SuppressWarnings("NullAway.Init") // by its extension
  private KubernetesClient client;

  private final StringWriter out = new StringWriter();

  private <T extends HasMetadata> T apply(Class<T> kind, String yaml) {
    T object = Serialization.unmarshal(yaml, kind);
    object.getMetadata().setNamespace(NAMESPACE);
    return client.resource(object).create();
  }

  private void cluster(String name) {
    apply(
        KvorumCluster.class,
        """
        apiVersion: kvorum.dev/v1alpha1
        kind: KvorumCluster
        metadata: {name: %s}
        spec: {replicas: 3}
        status:
          phase: ScalingOut
          readyMembers: 2
          epoch: 4
          version: 0.1.0
          memberStates:
          - {name: %1$s-0, state: Active, epoch: 4, version: 0.1.0}
          - {name: %1$s-1, state: Down}
          conditions:
          - {type: Ready, status: "False", reason: MemberDown, message: "%1$s-1 is down", lastTransitionTime: ""}
        """
            .formatted(name));
  }

  private void pod(String name, String cluster) {
    apply(
        io.fabric8.kubernetes.api.model.Pod.class,
        """
        metadata:
          name: %s
          labels: {app.kubernetes.io/name: kvorum, app.kubernetes.io/instance: %s}
        spec: {nodeName: machine-1, containers: [{name: kvorum}]}
        status:
          conditions: [{type: Ready, status: "True"}]
          containerStatuses: [{name: kvorum, restartCount: 2}]
        """
            .formatted(name, cluster));
  }

  private int run(@Nullable String cluster, ClusterCommand command, String... arguments)
      throws IOException, InterruptedException {
    CommandLine line = new CommandLine(command);
    line.setOut(new PrintWriter(new BufferedWriter(out), true));
    line.setErr(new PrintWriter(new BufferedWriter(out), true));
    line.parseArgs(arguments);
    return command.run(new Target(client, NAMESPACE, cluster));
  }

  @Test
  void statusShowsConditionsAndMembers() throws IOException, InterruptedException {
    cluster("one");
    pod("one-0", "one");
    pod("one-2", "one");
    assertThat(run(null, new StatusCommand(), "--no-reports")).isZero();
    assertThat(out.toString())
        .startsWith("one: ScalingOut, 2/3 members ready, version 0.1.0, epoch 4\n")
        .contains("  Ready=False MemberDown: one-1 is down\n")
        .containsPattern("one-0 +Active +yes +- +machine-1 +0.1.0 +4 +2 +-")
        .containsPattern("one-1 +Down +no pod +- +- ")
        .containsPattern("one-2 +NotAMember +yes ");
  }

  @Test
  void aStatusThatIsOlderThanThePodsSaysSo() throws IOException, InterruptedException {
    cluster("one");
    pod("one-0", "one");
    assertThat(run(null, new StatusCommand(), "--no-reports", "one")).isZero();
    assertThat(out.toString())
        .contains(
            "note: the status is older than the pods: it has 2 ready members, 1 pod is ready now."
                + " Does the operator run?\n");
    assertThatThrownBy(() -> run("one", new StatusCommand(), "two"))
        .hasMessage("Which one is meant, one or two?");
    assertThatThrownBy(() -> run(null, new StatusCommand(), "two"))
        .hasMessage("There is no KvorumCluster two in the namespace data");
  }

  @Test
  void aClusterIsNamedOnlyWhereThereAreSeveral() {
    assertThatThrownBy(() -> new Target(client, NAMESPACE, null).cluster())
        .hasMessage("There is no KvorumCluster in the namespace data");
    cluster("one");
    assertThat(new Target(client, NAMESPACE, null).cluster().getMetadata().getName())
        .isEqualTo("one");
    cluster("two");
    assertThatThrownBy(() -> new Target(client, NAMESPACE, null).cluster())
        .hasMessageContaining("[one, two]; name one with --cluster");
    assertThatThrownBy(() -> new Target(client, NAMESPACE, "three").cluster())
        .hasMessage("There is no KvorumCluster three in the namespace data");
  }

  private void topology() {
    apply(
        KvorumTopology.class,
        """
        metadata: {name: one}
        spec:
          clusterId: the-id
          epoch: 7
          phase: Settling
          members: [{name: one-0, zone: a, state: Joining}, {name: one-1, zone: a, state: Active}]
          features: [content-type]
        """);
  }

  @Test
  void aTaskForWhatCannotBeIsRejectedAtOnce() {
    cluster("one");
    topology();
    pod("one-0", "one");
    assertThatThrownBy(() -> run(null, new RestartCommand(), "one-7"))
        .hasMessage("one-7 is not a member of one; its members are one-0, one-1")
        .extracting(it -> ((CommandException) it).exitCode())
        .isEqualTo(CommandException.WRONG);
    assertThatThrownBy(() -> run(null, new RemoveCommand(), "one-0", "--yes"))
        .hasMessageStartingWith("MemberRunning: one-0 is running, and only a lost member");
    assertThatThrownBy(() -> run(null, new RestartCommand()))
        .hasMessage("Name a member, or all with --all");
    assertThat(client.resources(KvorumTask.class).inNamespace(NAMESPACE).list().getItems())
        .isEmpty();
  }

  @Test
  void allMembersAreRestartedByTheTimeInTheSpec() throws Exception {
    cluster("one");
    assertThat(run(null, new RestartCommand(), "--all", "--no-wait")).isZero();
    KvorumCluster cluster = new Target(client, NAMESPACE, "one").cluster();
    assertThat(cluster.getSpec().restartedAt()).startsWith("20");
    assertThat(cluster.getSpec().replicas()).isEqualTo(3);
    assertThat(RestartCommand.progress(cluster, 5).message())
        .isEqualTo("the operator has not seen it yet");
    KvorumCluster seen =
        Serialization.unmarshal(
            """
            metadata: {name: one}
            status:
              observedGeneration: 5
              conditions: [{type: Ready, status: "True", reason: AsAskedFor, message: ""}]
            """,
            KvorumCluster.class);
    assertThat(RestartCommand.progress(seen, 5).exitCode()).hasValue(0);
    assertThat(RestartCommand.progress(seen, 6).exitCode()).isEmpty();
  }

  @Test
  void aRemovalIsConfirmedAndWaitsForTheTask() throws Exception {
    cluster("one");
    topology();
    assertThatThrownBy(() -> run(null, new RemoveCommand(), "one-1"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("repeat this with --yes");
    assertThat(run(null, new RemoveCommand(), "one-1", "--yes", "--no-wait")).isZero();
    KvorumTask task =
        client.resources(KvorumTask.class).inNamespace(NAMESPACE).list().getItems().getFirst();
    assertThat(task.getMetadata().getName()).startsWith("remove-one-1-");
    assertThat(task.getSpec().member()).isEqualTo("one-1");
    assertThat(task.getSpec().cluster()).isEqualTo("one");
  }

  @Test
  void theExitCodeOfATaskIsThatOfItsEnd() {
    KvorumTask task = new KvorumTask();
    assertThat(TaskCommand.message(task)).isEqualTo("the operator has not seen it yet");
    assertThat(TaskCommand.exitCode(TaskPhase.COMPLETE)).isZero();
    assertThat(TaskCommand.exitCode(TaskPhase.FAILED)).isEqualTo(3);
  }

  @Test
  void aTopologyIsSavedAsItIsRestored() throws Exception {
    cluster("one");
    assertThatThrownBy(() -> run(null, new TopologyCommand.Save()))
        .hasMessageContaining("There is no KvorumTopology one; --from-nodes asks the nodes");
    topology();
    run(null, new TopologyCommand.Save());
    KvorumTopology saved = Serialization.unmarshal(out.toString(), KvorumTopology.class);
    assertThat(saved.getSpec())
        .isEqualTo(
            client
                .resources(KvorumTopology.class)
                .inNamespace(NAMESPACE)
                .withName("one")
                .get()
                .getSpec());
    assertThat(saved.getMetadata().getLabels()).containsEntry("app.kubernetes.io/instance", "one");
  }

  @Test
  void aReportOfANodeIsATopology() {
    KvorumTopologySpec spec =
        TopologyCommand.spec(
            JsonMapper.shared()
                .readTree(
                    """
                    {"cluster": "the-id", "epoch": 3, "topologyEpoch": 4, "phase": "TRANSFERRING",
                     "members": [{"name": "one-0", "zone": "a", "state": "MOVING", "nextZone": "b"},
                                 {"name": "one-1", "zone": "", "state": "ACTIVE"}],
                     "activeFeatures": ["content-type"]}
                    """));
    assertThat(spec.epoch()).isEqualTo(4);
    assertThat(spec.phase()).isEqualTo(TopologyPhase.TRANSFERRING);
    assertThat(spec.members().getFirst().nextZone()).isEqualTo("b");
    assertThat(spec.members().getLast().nextZone()).isNull();
    assertThat(spec.features()).containsExactly("content-type");
  }

  @Test
  void aReportHasObjectsAndWhatIsMissing(@TempDir Path directory) throws Exception {
    cluster("one");
    Path file = directory.resolve("report.zip");
    assertThat(run(null, new ReportCommand(), "-o", file.toString())).isZero();
    List<String> names = new ArrayList<>();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      zip.stream().forEach(entry -> names.add(entry.getName()));
    }
    assertThat(names).contains("objects/kvorumcluster.yaml", "errors.txt");
  }

  @Test
  void optionsOfTheKeyVerbsAreThoseOfKv() {
    CommandLine line = KubectlKvorum.commandLine();
    assertThat(line.getSubcommands()).containsKeys("get", "put", "rm", "ls", "explain");
    CommandLine.ParseResult put =
        line.parseArgs("--context", "x", "put", "k", "-n", "data", "--ttl=5m", "v", "-c", "one");
    assertThat(put.subcommand().matchedPositionalValue(1, "")).isEqualTo("v");
    assertThat(put.subcommand().matchedOptionValue("-n", "")).isEqualTo("data");
    assertThat(put.subcommand().matchedOptionValue("--ttl", Duration.ZERO)).hasMinutes(5);
    CommandLine.ParseResult restart =
        line.parseArgs("restart", "one-1", "--timeout", "5m", "-n", "data");
    assertThat(restart.subcommand().matchedOptionValue("--timeout", Duration.ZERO)).hasMinutes(5);
    line.setOut(new PrintWriter(out, true));
    assertThat(line.execute("get", "--help")).isZero();
    String usage = out.toString();
    assertThat(usage).containsPattern("^Usage: kubectl kvorum get [^\\n]*(\\n +[^\\n]*)*KEY");
    assertThat(usage).contains("--user").doesNotContain("--url");
  }

  @Test
  void sizesAreInTheUnitOfWhichThereAreTen() {
    assertThat(Words.bytes(10_239)).isEqualTo("10239 B");
    assertThat(Words.bytes(10_240)).isEqualTo("10 KiB");
    assertThat(Words.bytes(75_102_994_432L)).isEqualTo("69 GiB");
    assertThat(Words.of(TaskPhase.COMPLETE)).isEqualTo("Complete");
    assertThat(Words.of(ClusterPhase.SCALING_OUT)).isEqualTo("ScalingOut");
  }
}
