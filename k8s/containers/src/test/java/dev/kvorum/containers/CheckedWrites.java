package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The verifier in a container beside the nodes. It writes and reads all the time, and at the end
 * reads back every key that it wrote, and writes it once more.
 */
final class CheckedWrites implements AutoCloseable {
  private static final Pattern TOTAL = Pattern.compile("in all .*?: (\\d+) writes");
  private static final String OVER = "/tmp/over";
  private static final long MEMORY_BYTES = 256L << 20;
  private static final Duration READ_BACK_MAX = Duration.ofSeconds(60);

  private final GenericContainer<?> verifier;

  private CheckedWrites(GenericContainer<?> verifier) {
    this.verifier = verifier;
  }

  /** What is done to the cluster meanwhile. */
  interface Change {
    void run() throws Exception;
  }

  /**
   * Changes something under load; fails if an acknowledged write is lost, if writes pause for too
   * long or a key is not answered afterwards, or if a request got a response after which a client
   * cannot repeat it.
   */
  static void during(ContainerCluster cluster, Change change) {
    try (CheckedWrites writes = new CheckedWrites(verifier(cluster))) {
      writes.start();
      change.run();
      writes.finish();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static GenericContainer<?> verifier(ContainerCluster cluster) {
    return new GenericContainer<>(DockerImageName.parse(Images.node()))
        .withNetwork(cluster.network())
        .withLabels(Docker.labels())
        .withEnv("JDK_JAVA_OPTIONS", "-Xmx96m -XX:+UseSerialGC")
        .withCreateContainerCmdModifier(
            create -> Constraints.apply(create.withEntrypoint("java"), MEMORY_BYTES, "16m"))
        .withCommand(
            // Addresses change when a node is reconnected.
            "-Dsun.net.inetaddr.ttl=1",
            "-cp",
            "/opt/kvorum/kvorum-verifier.jar",
            "dev.kvorum.verifier.Verifier",
            "--url=http://" + NodeContainer.SERVICE + ":8080",
            "--rate=150",
            "--clients=16",
            "--keys=480",
            "--seconds=3600",
            "--until=" + OVER,
            "--wait-seconds=" + READ_BACK_MAX.toSeconds(),
            // Of three nodes two answer, at the latest once the third one is missed.
            "--pause-max-seconds=20",
            // Below 1 it also fails after an error that no client can retry.
            "--errors-max=0.99");
  }

  private void start() {
    verifier.start();
    Awaitility.await("the verifier's writes are acknowledged")
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(100))
        .failFast(() -> assertThat(verifier.isRunning()).as(() -> verifier.getLogs()).isTrue())
        .until(() -> verifier.getLogs().contains("writes"));
  }

  private void finish() {
    assertThat(verifier.isRunning())
        .as(() -> "the verifier runs; its log:\n" + verifier.getLogs())
        .isTrue();
    try {
      verifier.execInContainer("touch", OVER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    Awaitility.await("the verifier has read everything back")
        .atMost(READ_BACK_MAX.multipliedBy(2).plusSeconds(30))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> !verifier.isRunning());
    String log = verifier.getLogs();
    long code =
        Objects.requireNonNull(verifier.getCurrentContainerInfo().getState().getExitCodeLong());
    assertThat(code).as("exit code of the verifier, which reports:%n%s", log).isZero();
    Matcher total = TOTAL.matcher(log);
    assertThat(total.find()).as("the verifier's totals in:%n%s", log).isTrue();
    assertThat(Long.parseLong(total.group(1))).as("acknowledged writes").isGreaterThan(100);
    System.out.println(
        log.lines().filter(line -> line.startsWith("in all ")).findFirst().orElse(""));
  }

  @Override
  public void close() {
    verifier.stop();
  }
}
