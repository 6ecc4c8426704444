package dev.kvorum.boot;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** Rejects durations without a unit, which Spring reads as milliseconds and many as seconds. */
final class DurationUnits implements ConfigurationPropertiesBindHandlerAdvisor {
  private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("kvorum");
  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");
  private static final Pattern ZERO = Pattern.compile("[+-]?0+");

  @Override
  public BindHandler apply(BindHandler parent) {
    return new AbstractBindHandler(parent) {
      @Override
      public @Nullable Object onSuccess(
          ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (result instanceof Duration && property != null && OURS.isAncestorOf(name)) {
          check(name, String.valueOf(property.getValue()).strip());
        }
        return super.onSuccess(name, target, context, result);
      }
    };
  }

  private static void check(ConfigurationPropertyName name, String value) {
    if (NUMBER.matcher(value).matches() && !ZERO.matcher(value).matches()) {
      throw new IllegalArgumentException(
          name + " is '" + value + "', without a unit; write " + value + "ms or " + value + "s");
    }
  }
}
