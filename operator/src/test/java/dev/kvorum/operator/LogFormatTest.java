package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LogFormatTest {
  /** A line as the operator's own configuration formats it. */
  private static String logged(String format) throws JoranException {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    if (!format.isEmpty()) {
      context.putProperty("KVORUM_LOG_FORMAT", format);
    }
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(
        Objects.requireNonNull(LogFormatTest.class.getResource("/logback.xml")));
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .as("a warning makes Logback print all that it did")
        .allMatch(status -> status.getEffectiveLevel() == Status.INFO);
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Iterator<Appender<ILoggingEvent>> appenders = root.iteratorForAppenders();
    OutputStreamAppender<ILoggingEvent> console =
        (OutputStreamAppender<ILoggingEvent>) appenders.next();
    assertThat(appenders).isExhausted();
    Logger logger = context.getLogger("dev.kvorum.operator.KvorumOperator");
    LoggingEvent event =
        new LoggingEvent(
            "", logger, Level.WARN, "{} is away", new IOException("why"), new Object[] {"kvorum"});
    String line = new String(console.getEncoder().encode(event), StandardCharsets.UTF_8);
    context.stop();
    return line;
  }

  @Test
  void thePodLogsOneLineOfJsonForEachEvent() throws JoranException, IOException {
    String line = logged("ecs");
    assertThat(line).endsWith("\n");
    assertThat(line.strip()).doesNotContain("\n");
    JsonNode json = new ObjectMapper().readTree(line);
    assertThat(json.path("message").asText()).isEqualTo("kvorum is away");
    assertThat(json.path("log.level").asText()).isEqualTo("WARN");
    assertThat(json.path("service.name").asText()).isEqualTo("kvorum-operator");
    assertThat(json.path("error.stack_trace").asText()).contains("why");
    assertThat(json.has("@timestamp")).isTrue();
    assertThat(Files.readString(Path.of("Dockerfile"))).contains("KVORUM_LOG_FORMAT=ecs JDK");
  }

  @Test
  void aTerminalGetsLinesForPeople() throws JoranException {
    assertThat(logged("")).contains("Z WARN  KvorumOperator: kvorum is away").doesNotContain("{");
  }
}
