package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.testcontainers.images.builder.ImageFromDockerfile;
import org.testcontainers.utility.MountableFile;

/** The images under test, built from what Maven has built. */
final class Images {
  /** The directory of the project. */
  static final Path ROOT = Path.of(System.getProperty("project.root")).toAbsolutePath();

  private static final String VERSION = System.getProperty("project.version");
  private static final int NOT_IN_REPOSITORY = 77;
  private static final long BUILD_MINUTES_MAX = 10;
  private static boolean built;

  private Images() {}

  /** The node's image: {@code kvorum:<version>}, or another one by {@code -Dkvorum.image}. */
  static String node() {
    String given = System.getProperty("kvorum.image", "");
    return given.isEmpty() ? builtNow("kvorum") : given;
  }

  static String operator() {
    return builtNow("kvorum-operator");
  }

  private static synchronized String builtNow(String name) {
    if (!built) {
      assertThat(run("k8s/build-images")).as("exit code of k8s/build-images").isZero();
      built = true;
    }
    return name + ":" + VERSION;
  }

  /** The image of the version to upgrade from; empty if its commit is not in the repository. */
  static Optional<String> previous() {
    String commit = System.getProperty("upgrade.from");
    int code = run("k8s/containers/build-previous", commit);
    if (code == NOT_IN_REPOSITORY) {
      return Optional.empty();
    }
    assertThat(code).as("exit code of k8s/containers/build-previous").isZero();
    return Optional.of("kvorum:at-" + commit);
  }

  /** The node's image with some more steps of a Dockerfile; removed when this process ends. */
  static String changed(String name, String... steps) {
    return built(name, image(name), steps);
  }

  /** The node's image with another jar; removed when this process ends. */
  static String withJar(String name, Path jar) {
    ImageFromDockerfile image =
        image(name)
            .withFileFromTransferable("kvorum-app.jar", MountableFile.forHostPath(jar, 0644));
    return built(name, image, "COPY kvorum-app.jar /opt/kvorum/kvorum-app.jar");
  }

  private static ImageFromDockerfile image(String name) {
    return new ImageFromDockerfile(
        "kvorum-test:" + name + "-" + ProcessHandle.current().pid(), false);
  }

  private static String built(String name, ImageFromDockerfile image, String... steps) {
    String text =
        String.join("\n", "FROM " + node(), Docker.labelLine(), "USER root", "")
            + String.join("\n", steps)
            + "\nUSER 10001:10001\n";
    try {
      String tag = image.withFileFromString("Dockerfile", text).get();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> Docker.removeImage(tag)));
      return tag;
    } catch (RuntimeException e) {
      throw new IllegalStateException(name + " cannot be built: " + Throwables.root(e), e);
    }
  }

  private static int run(String... command) {
    Path target = Path.of("target");
    // Tests run in two processes.
    try (FileChannel file =
            FileChannel.open(
                Files.createDirectories(target).resolve("image-builds.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock _ = file.lock()) {
      Path log = target.resolve("image-builds.log");
      Process process =
          new ProcessBuilder(List.of(command))
              .directory(ROOT.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      if (!process.waitFor(BUILD_MINUTES_MAX, TimeUnit.MINUTES)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new IllegalStateException(
            command[0] + " took longer than " + BUILD_MINUTES_MAX + " minutes; see " + log);
      }
      if (process.exitValue() != 0) {
        System.out.println("---- end of " + log.toAbsolutePath());
        System.out.println(LogEnd.of(Files.readString(log), 20));
      }
      return process.exitValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
