package dev.kvorum.settings;

import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Settings of one group by name, such as {@code interval=4s}, bound as those of a node are. */
public final class TestSettings {
  private static final String PREFIX = "kvorum.group";

  // Binding was a quarter of what a simulated run costs.
  private static final Map<Named, Record> BOUND = new ConcurrentHashMap<>();

  private record Named(Class<?> group, Map<String, String> values) {}

  private TestSettings() {}

  /** The named settings; all others have their defaults. */
  public static <T extends Record> T of(Class<T> group, String... settings) {
    return bind(group, Map.of(), settings);
  }

  /** The same settings, apart from the named ones. */
  public static <T extends Record> T with(T usual, String... settings) {
    @SuppressWarnings("unchecked")
    Class<T> group = (Class<T>) usual.getClass();
    Map<String, String> values = new HashMap<>();
    for (RecordComponent component : group.getRecordComponents()) {
      values.put(PREFIX + '.' + dashed(component.getName()), value(usual, component));
    }
    return bind(group, values, settings);
  }

  private static <T extends Record> T bind(
      Class<T> group, Map<String, String> usual, String... settings) {
    Map<String, String> values = new HashMap<>(usual);
    for (String setting : settings) {
      int end = setting.indexOf('=');
      values.put(PREFIX + '.' + setting.substring(0, end), setting.substring(end + 1));
    }
    Record bound = BOUND.computeIfAbsent(new Named(group, values), TestSettings::bind);
    return group.cast(bound);
  }

  private static Record bind(Named named) {
    return (Record)
        new Binder(new MapConfigurationPropertySource(named.values))
            .bindOrCreate(
                PREFIX,
                Bindable.of(named.group),
                new NoUnboundElementsBindHandler(BindHandler.DEFAULT, source -> true));
  }

  private static String value(Record settings, RecordComponent component) {
    try {
      return String.valueOf(component.getAccessor().invoke(settings));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static String dashed(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
