package dev.kvorum.config;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The names of all settings of a node, such as {@code kvorum.limits.request-timeout}. */
public final class SettingNames {
  private static final List<String> ALL = all();
  private static final Set<String> UNIFORM =
      ALL.stream().map(SettingNames::uniform).collect(Collectors.toSet());

  /** Edits that turn a misspelt name into the one that was meant, as a share of its length. */
  private static final double EDITS_MAX = 0.4;

  private SettingNames() {}

  private static List<String> all() {
    List<String> names = new ArrayList<>(List.of("server.port", "management.server.port"));
    add("kvorum", KvorumProperties.class, names);
    return List.copyOf(names);
  }

  private static void add(String prefix, Class<?> group, Collection<String> names) {
    for (RecordComponent component : group.getRecordComponents()) {
      String label = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      String name = prefix + '.' + label;
      if (component.getType().isRecord()) {
        add(name, component.getType(), names);
      } else {
        names.add(name);
      }
    }
  }

  /** Returns all of them. */
  public static List<String> list() {
    return ALL;
  }

  /** Returns a name without what Spring ignores in it: case, dashes and underscores. */
  public static String uniform(String name) {
    return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
  }

  /** Returns whether a {@linkplain #uniform uniform} name is the name of a setting. */
  public static boolean contains(String uniform) {
    return UNIFORM.contains(uniform);
  }

  /** Returns the setting whose name is most like a name that is none, if one is like it. */
  public static Optional<String> nearest(String unknown) {
    String typed = uniform(unknown);
    return ALL.stream()
        .min(Comparator.comparingInt((String name) -> distance(typed, name)))
        .filter(name -> distance(typed, name) <= EDITS_MAX * typed.length());
  }

  /** Edits between a name and a setting, or its last words: {@code port} is {@code server.port}. */
  private static int distance(String typed, String setting) {
    String name = uniform(setting);
    int least = edits(typed, name);
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      // A whole name that is as near comes first.
      least = Math.min(least, edits(typed, name.substring(dot + 1)) + 1);
    }
    return least;
  }

  /** Levenshtein's distance. */
  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
