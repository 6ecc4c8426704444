package dev.kvorum.storage.rocks;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** Checks any number of disk images; {@code make crashes} runs it. */
public final class CrashImages {
  private static final int IMAGES_OF_A_RUN = 100;

  private CrashImages() {}

  /**
   * Checks as many images as the system property {@code images} asks for, from the seed {@code
   * first} on. Exit code 1 when one of them lost something.
   */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    ((Logger) LoggerFactory.getLogger("dev.kvorum")).setLevel(Level.OFF);
    long first = Optional.ofNullable(Long.getLong("first")).orElseGet(Seeds::seed);
    int images = Integer.getInteger("images", 10_000);
    long begun = System.nanoTime();
    System.out.println("seeds from " + first);
    Path directory = Files.createTempDirectory("kvorum-crashes");
    List<Future<Boolean>> runs = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      for (int done = 0; done < images; done += IMAGES_OF_A_RUN) {
        long seed = first + runs.size();
        runs.add(threads.submit(run(seed, directory)));
      }
    }
    boolean isSound = true;
    for (Future<Boolean> run : runs) {
      isSound &= run.get();
    }
    Files.delete(directory);
    System.out.printf(
        "%d runs of %d images, %s, took %d s%n",
        runs.size(),
        IMAGES_OF_A_RUN,
        isSound ? "nothing lost" : "LOST",
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
    System.exit(isSound ? 0 : 1);
  }

  private static Callable<Boolean> run(long seed, Path parent) {
    return () -> {
      Path directory = parent.resolve("seed-" + seed);
      CrashChecks checks = run(seed, directory, IMAGES_OF_A_RUN);
      System.out.println("seed " + seed + ": " + checks);
      checks.violations().forEach(System.out::println);
      return checks.violations().isEmpty();
    };
  }

  /** One run of a seed in a directory that is made for it and deleted. */
  static CrashChecks run(long seed, Path directory, int images) throws IOException {
    Durability durability = seed % 3 == 0 ? Durability.ASYNC : Durability.SYNC;
    CrashChecks checks = new CrashRun(seed, durability, durability, directory).play(images);
    StoreFiles.delete(directory.resolve("store"));
    Files.delete(directory.resolve("images"));
    Files.delete(directory);
    return checks;
  }
}
