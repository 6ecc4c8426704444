package dev.kvorum.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin as kubectl runs it: the launcher with a jar behind it. */
@EnableKubernetesMockClient(crud = true, https = false)
class LauncherTest {
  @SuppressWarnings("NullAway.Init") // by its extension
  private KubernetesClient client;

  @TempDir private Path directory;

  @BeforeEach
  void build() throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, KubectlKvorum.class.getName());
    attributes.put(
        Attributes.Name.CLASS_PATH,
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(it -> Path.of(it).toUri().toString())
            .collect(Collectors.joining(" ")));
    Path plugin = directory.resolve("kubectl-kvorum");
    Path jar = directory.resolve("jar");
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
    try (OutputStream out = Files.newOutputStream(plugin)) {
      Files.copy(Path.of("launcher"), out);
      Files.copy(jar, out);
    }
    assertThat(plugin.toFile().setExecutable(true)).isTrue();
    Files.writeString(
        directory.resolve("config"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: mock, cluster: {server: "%s"}}]
        contexts: [{name: mock, context: {cluster: mock, user: mock, namespace: data}}]
        users: [{name: mock, user: {}}]
        current-context: mock
        """
            .formatted(client.getMasterUrl()));
  }

  private <T extends HasMetadata> void apply(Class<T> kind, String yaml) {
    T object = Serialization.unmarshal(yaml, kind);
    object.getMetadata().setNamespace("data");
    client.resource(object).create();
  }

  private void cluster() {
    apply(KvorumCluster.class, "metadata: {name: one}\nspec: {replicas: 3}");
    apply(
        Pod.class,
        """
        metadata:
          name: one-1
          labels: {app.kubernetes.io/name: kvorum, app.kubernetes.io/instance: one}
        spec: {containers: [{name: kvorum}]}
        """);
  }

  /** What a command ended with, and all that it wrote. */
  private record End(int exitCode, String text) {}

  private Process start(Map<String, String> environment, String arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", "exec ./kubectl-kvorum " + arguments)
            .directory(directory.toFile())
            .redirectErrorStream(true);
    builder.environment().keySet().removeIf(it -> it.startsWith("LC_") || it.equals("LANG"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("KUBECONFIG", "config");
    builder.environment().putAll(environment);
    return builder.start();
  }

  private End run(Map<String, String> environment, String arguments) throws Exception {
    Process process = start(environment, arguments);
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new End(process.waitFor(), text);
  }

  @Test
  void argumentsAndOutputAreUtf8InAnyLocale() throws Exception {
    for (Map<String, String> locale :
        Stream.of(Map.of("LC_ALL", "C"), Map.<String, String>of()).toList()) {
      assertThat(run(locale, "get k --context \"k-$(printf '\\303\\251')\""))
          .isEqualTo(new End(2, "the kubeconfig has no context k-é\n"));
      assertThat(run(locale, "get \"k-$(printf '\\351')\"").text())
          .contains("arguments must be UTF-8");
    }
  }

  @Test
  void anOutputThatCannotBeWrittenIsAFailure() throws Exception {
    cluster();
    assertThat(run(Map.of(), "status --no-reports 2>&1 >/dev/full"))
        .isEqualTo(new End(3, "cannot write the output\n"));
    assertThat(run(Map.of(), "version").text()).startsWith("kubectl kvorum ");
  }

  @Test
  void aFileThatCannotBeUsedIsOneLine() throws Exception {
    cluster();
    End restore = run(Map.of(), "topology restore no-such-file");
    assertThat(restore).isEqualTo(new End(2, "There is no no-such-file\n"));
    End report = run(Map.of(), "report -o no/such/directory/x.zip");
    assertThat(report.exitCode()).isEqualTo(2);
    assertThat(report.text().lines()).hasSize(1).first().asString().contains("no/such/directory");
    Files.writeString(directory.resolve("malformed"), "{a: [");
    End malformed = run(Map.of(), "status --kubeconfig malformed");
    assertThat(malformed.exitCode()).isEqualTo(2);
    assertThat(malformed.text().lines()).hasSize(1).first().asString().contains("malformed");
  }

  @Test
  void namespacesWithoutAClusterAreAFailureEverywhere() throws Exception {
    for (String verb : new String[] {"status", "get k", "report -o x.zip"}) {
      assertThat(run(Map.of(), verb + " -n nosuch"))
          .isEqualTo(new End(3, "There is no KvorumCluster in the namespace nosuch\n"));
    }
    assertThat(directory.resolve("x.zip")).doesNotExist();
  }

  @Test
  void aWaitThatIsInterruptedNamesTheTask() throws Exception {
    cluster();
    Process process = start(Map.of(), "restart one-1");
    BufferedReader lines = process.inputReader(UTF_8);
    String name = lines.readLine().split(" ", -1)[1];
    assertThat(lines.readLine()).isEqualTo("the operator has not seen it yet");
    // That of the process itself would close its output.
    process.toHandle().destroy();
    assertThat(lines.readLine())
        .isEqualTo("the task " + name + " goes on; kubectl get kvorumtasks " + name);
    process.waitFor();
  }

  @Test
  void aPlanIsShownAndNoLongerAskedFor() throws Exception {
    cluster();
    Process process = start(Map.of(), "plan 5");
    BufferedReader lines = process.inputReader(UTF_8);
    assertThat(lines.readLine()).isEqualTo("the operator has not seen it yet");
    var resource = client.resources(KvorumCluster.class).inNamespace("data").withName("one");
    assertThat(resource.get().getSpec().dryRunReplicas()).isEqualTo(5);
    resource.patch(
        PatchContext.of(PatchType.JSON_MERGE),
        """
        {"status": {"observedGeneration": 99, "plan": {
          "replicas": 5, "fits": true, "message": "adds one-3, one-4", "movedSlots": 4915,
          "roughDuration": "12m",
          "members": [{"name": "one-0", "zone": "a", "slots": 2458, "slotsNow": 4096,
                       "roughSize": "70 MiB"}],
          "losses": [{"zone": "a", "members": 1, "withoutQuorum": "0%"}]}}}
        """);
    assertThat(lines.lines())
        .containsExactly(
            "5 members: it fits",
            "adds one-3, one-4",
            "copies of slots that move: 4915, duration: roughly 12m",
            "",
            "MEMBER   ZONE   SLOTS   NOW    SIZE",
            "one-0    a      2458    4096   70 MiB",
            "",
            "IF THIS FAILS NOW   MEMBERS   SLOTS WITHOUT QUORUM",
            "zone a              1         0%");
    assertThat(process.waitFor()).isZero();
    assertThat(resource.get().getSpec().dryRunReplicas()).isNull();
  }

  @Test
  void anOlderJavaIsNamed() throws Exception {
    Path java = Files.createDirectories(directory.resolve("old/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"17.0.1\"' >&2\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    End end = run(Map.of("JAVA_HOME", directory.resolve("old").toString()), "version");
    assertThat(end.exitCode()).isEqualTo(2);
    assertThat(end.text()).contains("needs Java 25").contains("old/bin/java is Java 17");
  }
}
