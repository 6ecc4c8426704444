package dev.kvorum.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.cli.CommandException;
import io.fabric8.kubernetes.api.model.NodeListBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Reports of a user to whom the API server permits only what a test names. */
@EnableKubernetesMockClient(https = false)
class ReportCommandTest {
  @SuppressWarnings("NullAway.Init") // by its extension
  private KubernetesMockServer server;

  @SuppressWarnings("NullAway.Init") // by its extension
  private KubernetesClient client;

  private final StringWriter out = new StringWriter();

  @TempDir private Path directory;

  private int run() throws Exception {
    String[] forbidden = {
      "/apis/kvorum.dev/v1alpha1/namespaces/data/kvorumclusters",
      "/apis/apps/v1/namespaces/data/statefulsets"
    };
    for (String path : forbidden) {
      server
          .expect()
          .get()
          .withPath(path)
          .andReturn(403, new StatusBuilder().withCode(403).withMessage("forbidden").build())
          .always();
    }
    ReportCommand command = new ReportCommand();
    CommandLine line = new CommandLine(command);
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(out, true));
    line.parseArgs("-o", file().toString());
    return command.run(new Target(client, "data", null));
  }

  private Path file() {
    return directory.resolve("report.zip");
  }

  @Test
  void thereIsNoFileWithoutAnyRight() {
    assertThatThrownBy(this::run)
        .hasMessageStartingWith("Nothing could be read:\n")
        .hasMessageContaining("objects of the kind StatefulSet: The API server rejects it: forb")
        .extracting(it -> ((CommandException) it).exitCode())
        .isEqualTo(CommandException.FAILED);
    assertThat(file()).doesNotExist();
  }

  @Test
  void whatIsForbiddenIsNamedAndTheRestIsThere() throws Exception {
    server
        .expect()
        .get()
        .withPath("/api/v1/namespaces/data/pods")
        .andReturn(
            200,
            new PodListBuilder()
                .addNewItem()
                .withNewMetadata()
                .withName("one-0")
                .endMetadata()
                .endItem()
                .build())
        .always();
    server
        .expect()
        .get()
        .withPath("/api/v1/nodes")
        .andReturn(
            200,
            new NodeListBuilder()
                .addNewItem()
                .withNewMetadata()
                .withName("machine-1")
                .addToLabels("topology.kubernetes.io/zone", "a")
                .addToAnnotations("secret", "of-others")
                .endMetadata()
                .withNewStatus()
                .addNewAddress("192.0.2.1", "InternalIP")
                .endStatus()
                .endItem()
                .build())
        .always();
    assertThat(run()).isZero();
    try (ZipFile zip = new ZipFile(file().toFile())) {
      assertThat(zip.getEntry("objects/pod.yaml")).isNotNull();
      assertThat(text(zip, "objects/node.yaml"))
          .contains("machine-1", "topology.kubernetes.io/zone")
          .doesNotContain("of-others", "192.0.2.1");
      assertThat(text(zip, "errors.txt"))
          .contains("objects of the kind StatefulSet", "reports of nodes", "StorageClasses");
    }
    assertThat(out.toString()).contains("Some of it is missing:", "StatefulSet");
  }

  private static String text(ZipFile zip, String name) throws Exception {
    return new String(
        zip.getInputStream(zip.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
  }
}
