package dev.kvorum.containers;

import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Volume;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** Looks into volumes that no node uses. */
final class Volumes {
  private Volumes() {}

  /** The checksums of all files of a volume, by name. */
  static String digest(String volume) {
    try (GenericContainer<?> reader =
        new GenericContainer<>(DockerImageName.parse(Images.node()))
            .withLabels(Docker.labels())
            .withCreateContainerCmdModifier(create -> {
              create
                  .withEntrypoint("sh", "-c")
                  .withCmd("cd /data && find . -type f | sort | xargs sha256sum && sleep 60");
              Objects.requireNonNull(create.getHostConfig())
                  .withBinds(new Bind(volume, new Volume("/data")));
            })) {
      reader.start();
      Awaitility.await("the files are read")
          .atMost(Duration.ofSeconds(20))
          .until(() -> reader.getLogs().contains("./identity"));
      return reader.getLogs();
    }
  }
}
