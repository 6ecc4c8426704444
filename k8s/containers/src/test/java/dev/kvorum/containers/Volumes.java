package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Volume;
import java.util.Objects;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.OneShotStartupCheckStrategy;
import org.testcontainers.utility.DockerImageName;

/** Reads volumes that no node uses. */
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
                  .withCmd("cd /data && find . -type f -print0 | sort -z | xargs -0 sha256sum");
              Objects.requireNonNull(create.getHostConfig())
                  .withBinds(new Bind(volume, new Volume("/data")));
            })
            .withStartupCheckStrategy(new OneShotStartupCheckStrategy())) {
      reader.start();
      String digest = reader.getLogs();
      assertThat(digest).contains("./identity");
      return digest;
    }
  }
}
