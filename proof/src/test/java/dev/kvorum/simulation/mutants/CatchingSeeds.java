package dev.kvorum.simulation.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/** The seeds that catch the mutants, as {@link Hunts} recorded them. */
record CatchingSeeds(Properties seeds) {
  private static final String FILE = "catching-seeds.properties";

  static CatchingSeeds read() {
    Properties seeds = new Properties();
    try (InputStream in = CatchingSeeds.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("no " + FILE + "; run make mutants");
      }
      seeds.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new CatchingSeeds(seeds);
  }

  /** The file's text for these hunts. */
  static String text(Collection<Hunt> hunts) {
    return hunts.stream()
        .map(hunt -> name(hunt.mutant()) + "=" + hunt.seed() + "\n")
        .sorted()
        .collect(Collectors.joining("", "# Written by make mutants.\n", ""));
  }

  static String name(Defect mutant) {
    Enum<?> constant = (Enum<?>) mutant;
    return constant.getDeclaringClass().getSimpleName() + "." + constant.name();
  }

  OptionalLong of(Defect mutant) {
    String seed = seeds.getProperty(name(mutant));
    return seed == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(seed));
  }

  /** Names in the file that no mutant has. */
  Set<String> unknown(List<Defect> mutants) {
    Set<String> known = mutants.stream().map(CatchingSeeds::name).collect(Collectors.toSet());
    return seeds.stringPropertyNames().stream()
        .filter(name -> !known.contains(name))
        .collect(Collectors.toSet());
  }
}
