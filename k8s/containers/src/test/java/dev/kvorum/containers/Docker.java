package dev.kvorum.containers;

import com.github.dockerjava.api.DockerClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;

/**
 * The Docker that runs the containers. All that the tests create has a label with the process that
 * did; what a killed process left behind is removed by the next one on the same host.
 */
final class Docker {
  private static final String OWNER = "dev.kvorum.tests.owner";
  private static final String ME = HostProcess.current().toString();
  private static boolean cleaned;

  private Docker() {}

  /** A process of a host, whose id may since belong to another one. */
  private record HostProcess(String host, long pid, long startedSeconds) {
    static HostProcess current() {
      return new HostProcess(
          hostName(), ProcessHandle.current().pid(), started(ProcessHandle.current()));
    }

    static HostProcess parse(String label) {
      String[] parts = label.split("/", 3);
      return new HostProcess(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }

    /** Whether it ended. A process of another host counts as alive. */
    boolean isGone() {
      return host.equals(hostName())
          && ProcessHandle.of(pid).filter(process -> started(process) == startedSeconds).isEmpty();
    }

    private static long started(ProcessHandle process) {
      return process.info().startInstant().map(Instant::getEpochSecond).orElse(0L);
    }

    private static String hostName() {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        return "unknown";
      }
    }

    @Override
    public String toString() {
      return host + "/" + pid + "/" + startedSeconds;
    }
  }

  /** Why there is no Docker, or empty. */
  static Optional<String> obstacle() {
    try {
      client().pingCmd().exec();
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(Throwables.root(e));
    }
  }

  static synchronized DockerClient client() {
    DockerClient client = DockerClientFactory.instance().client();
    if (!cleaned) {
      cleaned = true;
      removeLeftovers(client);
    }
    return client;
  }

  /** The label for all that the tests create. */
  static Map<String, String> labels() {
    return Map.of(OWNER, ME);
  }

  /** Removes an image whose containers were removed. */
  static void removeImage(String tag) {
    client().removeImageCmd(tag).withForce(true).exec();
  }

  private static void removeLeftovers(DockerClient client) {
    List<String> label = List.of(OWNER);
    client.listContainersCmd().withShowAll(true).withLabelFilter(label).exec().stream()
        .filter(container -> isLeft(container.getLabels()))
        .forEach(container -> client.removeContainerCmd(container.getId()).withForce(true).exec());
    client.listNetworksCmd().withFilter("label", label).exec().stream()
        .filter(network -> isLeft(network.getLabels()))
        .forEach(network -> client.removeNetworkCmd(network.getId()).exec());
    var volumes = client.listVolumesCmd().withFilter("label", label).exec().getVolumes();
    if (volumes != null) {
      volumes.stream()
          .filter(volume -> isLeft(volume.getLabels()))
          .forEach(volume -> client.removeVolumeCmd(volume.getName()).exec());
    }
  }

  private static boolean isLeft(Map<String, String> labels) {
    return HostProcess.parse(labels.getOrDefault(OWNER, ME)).isGone();
  }
}
