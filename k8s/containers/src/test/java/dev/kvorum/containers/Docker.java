package dev.kvorum.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectVolumeResponse;
import com.github.dockerjava.api.exception.DockerException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/**
 * The Docker that runs the containers. All that the tests create has a label with the process that
 * created it; the next run on the same host removes what belongs to a process that ended.
 */
final class Docker {
  private static final Logger log = LoggerFactory.getLogger(Docker.class);
  private static final String OWNER = "dev.kvorum.tests.owner";
  private static final String ME = HostProcess.current().toString();
  private static final long PING_SECONDS_MAX = 10;
  private static boolean cleaned;

  private Docker() {}

  /** Why there is no Docker, or empty. */
  static Optional<String> obstacle() {
    return CompletableFuture.runAsync(
            () -> DockerClientFactory.instance().client().pingCmd().exec())
        .orTimeout(PING_SECONDS_MAX, TimeUnit.SECONDS)
        .handle((nothing, failure) -> Optional.ofNullable(failure).map(Throwables::root))
        .join();
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

  /** The same as a line of a Dockerfile. */
  static String labelLine() {
    return "LABEL " + OWNER + "=" + ME;
  }

  /** Removes an image whose containers were removed. */
  static void removeImage(String tag) {
    remove(tag, () -> client().removeImageCmd(tag).withForce(true).exec());
  }

  private static void removeLeftovers(DockerClient client) {
    List<String> label = List.of(OWNER);
    client.listContainersCmd().withShowAll(true).withLabelFilter(label).exec().stream()
        .filter(container -> isLeft(container.getLabels()))
        .map(container -> container.getId())
        .forEach(id -> remove(id, () -> client.removeContainerCmd(id).withForce(true).exec()));
    client.listNetworksCmd().withFilter("label", label).exec().stream()
        .filter(network -> isLeft(network.getLabels()))
        .map(network -> network.getId())
        .forEach(id -> remove(id, () -> client.removeNetworkCmd(id).exec()));
    List<InspectVolumeResponse> volumes =
        client.listVolumesCmd().withFilter("label", label).exec().getVolumes();
    Stream.ofNullable(volumes)
        .flatMap(List::stream)
        .filter(volume -> isLeft(volume.getLabels()))
        .map(volume -> volume.getName())
        .forEach(name -> remove(name, () -> client.removeVolumeCmd(name).exec()));
    client.listImagesCmd().withLabelFilter(OWNER).exec().stream()
        .filter(image -> isLeft(image.getLabels()))
        .map(image -> image.getId())
        .forEach(id -> remove(id, () -> client.removeImageCmd(id).withForce(true).exec()));
  }

  private static boolean isLeft(Map<String, String> labels) {
    return HostProcess.parse(labels.getOrDefault(OWNER, ""))
        .filter(HostProcess::isGone)
        .isPresent();
  }

  /** Another process of the tests may remove the same. */
  private static void remove(String what, Runnable removal) {
    try {
      removal.run();
    } catch (DockerException e) {
      log.info("{} was not removed: {}", what, e.getMessage());
    }
  }
}
