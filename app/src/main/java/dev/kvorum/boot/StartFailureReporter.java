package dev.kvorum.boot;

import dev.kvorum.config.NodeStartException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.origin.SystemEnvironmentOrigin;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionException;
import org.springframework.util.unit.DataSize;

/** Logs in one line why a node did not start; Spring reports what is unknown here. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StartFailureReporter implements SpringBootExceptionReporter {
  private static final Logger log = LoggerFactory.getLogger(StartFailureReporter.class);

  private final @Nullable ConfigurableApplicationContext context;

  StartFailureReporter(@Nullable ConfigurableApplicationContext context) {
    this.context = context;
  }

  @Override
  public boolean reportException(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Optional<String> line =
          switch (cause) {
            case NodeStartException known -> Optional.of(String.valueOf(known.getMessage()));
            case PortInUseException taken -> Optional.of(taken(taken.getPort()));
            case BindException mistake -> Optional.of(mistake(mistake));
            case InvalidConfigurationPropertyValueException wrong ->
                Optional.of(
                    wrong.getName() + " is '" + wrong.getValue() + "'; " + wrong.getReason());
            case IllegalArgumentException wrong when isPortOutOfRange(wrong) ->
                Optional.of(
                    wrong.getMessage()
                        + "; server.port and management.server.port must be 0 to 65535");
            default -> Optional.empty();
          };
      if (line.isPresent()) {
        log.error("The node does not start: {}", line.get());
        return true;
      }
    }
    return false;
  }

  private static boolean isPortOutOfRange(IllegalArgumentException failure) {
    return String.valueOf(failure.getMessage()).startsWith("port out of range");
  }

  private String taken(int port) {
    String settings =
        Stream.of("server.port", "management.server.port")
            .filter(setting ->
                context != null
                    && Integer.toString(port).equals(context.getEnvironment().getProperty(setting)))
            .collect(Collectors.joining(" or "));
    return "Port "
        + port
        + " was already in use"
        + (settings.isEmpty() ? "" : "; stop the process that uses it or change " + settings);
  }

  private static String mistake(BindException failure) {
    Throwable root = failure;
    boolean converted = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnboundConfigurationPropertiesException unbound) {
        return unbound.getUnboundProperties().stream()
            .map(property -> CommandLine.unknown("", property.getName().toString()))
            .collect(Collectors.joining(", "));
      }
      converted |= cause instanceof ConversionException;
      root = cause;
    }
    ConfigurationProperty property = failure.getProperty();
    String origin =
        property != null && property.getOrigin() instanceof SystemEnvironmentOrigin variable
            ? " (from " + variable.getProperty() + ")"
            : "";
    return property != null && converted
        ? property.getName()
            + " is '"
            + property.getValue()
            + "'"
            + origin
            + "; it must be "
            + form(failure.getTarget().getType().resolve(Object.class))
        : root.getMessage() + origin;
  }

  /** What a value of a type looks like. */
  private static String form(Class<?> type) {
    if (type.equals(Duration.class)) {
      return "a duration with a unit, such as 500ms, 10s or 7d";
    }
    if (type.equals(DataSize.class)) {
      return "a size, such as 256KB or 64MB";
    }
    if (type.equals(double.class) || type.equals(Double.class)) {
      return "a number";
    }
    if (type.equals(boolean.class) || type.equals(Boolean.class)) {
      return "true or false";
    }
    boolean number = type.isPrimitive() || Number.class.isAssignableFrom(type);
    return number ? "a whole number" : "a valid " + type.getSimpleName();
  }
}
