package dev.kvorum.chaos;

import dev.kvorum.seeds.Seeds;
import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;

/**
 * How a run is to be, from system properties {@code chaos.*}.
 *
 * @param duration how long there are faults ({@code chaos.duration})
 * @param nodes members of the cluster ({@code chaos.nodes})
 * @param seed of every choice; the moments at which things happen are the machine's ({@code
 *     chaos.seed})
 * @param rate operations a second of all clients together ({@code chaos.rate})
 * @param keys how many there are, a few of them hot ({@code chaos.keys})
 * @param emptyDisk whether a member may lose its disk ({@code chaos.empty-disk})
 */
record ChaosSettings(
    Duration duration, int nodes, long seed, int rate, int keys, boolean emptyDisk) {
  ChaosSettings {
    between("chaos.duration in seconds", duration.toSeconds(), 10, 4 * 3600);
    between("chaos.nodes", nodes, 3, 9);
    between("chaos.rate", rate, 1, 1000);
    between("chaos.keys", keys, 10, 10_000);
  }

  private static void between(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " is " + value + "; it must be " + min + " to " + max);
    }
  }

  /** The values of the system properties, or else the defaults. */
  static ChaosSettings ofSystemProperties(Duration defaultDuration) {
    String duration = System.getProperty("chaos.duration", "");
    String seed = System.getProperty("chaos.seed", "");
    return new ChaosSettings(
        duration.isEmpty() ? defaultDuration : DurationStyle.detectAndParse(duration),
        Integer.getInteger("chaos.nodes", 3),
        seed.isEmpty() ? Seeds.seed() : Long.parseLong(seed),
        Integer.getInteger("chaos.rate", 200),
        Integer.getInteger("chaos.keys", 300),
        Boolean.getBoolean("chaos.empty-disk"));
  }

  /** The command that makes the same choices again. */
  String command() {
    return "make chaos DURATION=%ds NODES=%d SEED=%d RATE=%d KEYS=%d EMPTY_DISK=%b"
        .formatted(duration.toSeconds(), nodes, seed, rate, keys, emptyDisk);
  }
}
