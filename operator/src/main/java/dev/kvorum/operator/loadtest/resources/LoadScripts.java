package dev.kvorum.operator.loadtest.resources;

import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.LoadWorkload;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Builds the ConfigMap that the Jobs mount, with the scripts of {@code loadtest/} that the build
 * puts beside this class.
 */
public final class LoadScripts {
  /** The script that writes every key once. */
  public static final String FILL = "fill";

  private static final Map<String, String> SCRIPTS = read();

  private LoadScripts() {}

  private static Map<String, String> read() {
    Map<String, String> scripts = new TreeMap<>();
    Stream.concat(
            Stream.of("kvorum", "result", "zipf", FILL),
            Arrays.stream(LoadWorkload.values()).map(LoadWorkload::label))
        .forEach(name -> scripts.put(name + ".lua", read(name + ".lua")));
    return scripts;
  }

  private static String read(String file) {
    try (InputStream script = LoadScripts.class.getResourceAsStream("/loadtest/" + file)) {
      if (script == null) {
        throw new IllegalStateException("the operator was built without loadtest/" + file);
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Returns the name of the ConfigMap. */
  public static String name(String test) {
    return test + "-scripts";
  }

  /** Returns the ConfigMap in its desired state. */
  public static ConfigMap of(KvorumLoadTest test) {
    return new ConfigMapBuilder()
        .withMetadata(LoadLabels.metadata(test, name(test.getMetadata().getName())))
        .withData(SCRIPTS)
        .build();
  }

  /** Returns whether an existing ConfigMap has the same scripts. */
  public static boolean same(ConfigMap there) {
    return SCRIPTS.equals(there.getData());
  }
}
