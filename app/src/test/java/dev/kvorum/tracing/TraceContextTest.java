package dev.kvorum.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.seeds.Seeds;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";

  @ParameterizedTest
  @CsvSource({
    // The examples of the standard.
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,        4bf92f3577b34da6, true",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00,        4bf92f3577b34da6, false",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01,        0af7651916cd43dd, true",
    // Other flags than the first mean nothing.
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff,        0af7651916cd43dd, true",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-fe,        0af7651916cd43dd, false",
    // Halves of ids may be zeros.
    "00-0000000000000000a3ce929d0e0e4736-00f067aa0ba902b7-01,        0000000000000000, true",
    "00-4bf92f3577b34da60000000000000000-00f067aa0ba902b7-01,        4bf92f3577b34da6, true",
    // Later versions are read as far as they are known.
    "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01,        0af7651916cd43dd, true",
    "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more,   0af7651916cd43dd, true",
    "fe-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00-,       0af7651916cd43dd, false",
  })
  void readsWhatTheStandardAllows(String header, String traceStart, boolean sampled) {
    TraceContext context = Objects.requireNonNull(TraceContext.parse(header));
    assertThat(context.sampled()).isEqualTo(sampled);
    assertThat(context.traceId()).startsWith(traceStart).isEqualTo(header.substring(3, 35));
    assertThat(context.toString())
        .isEqualTo("00" + header.substring(2, 53) + (sampled ? "01" : "00"));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "0g-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-001",
        "00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 ",
        "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01more",
      })
  void passesOverWhatTheStandardDoesNotAllow(String header) {
    assertThat(TraceContext.parse(header)).isNull();
  }

  @Test
  void noTextIsMoreThanNoContext() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    String valid = "00-" + TRACE + "-" + SPAN + "-01";
    int rejected = 0;
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder(valid);
      for (int i = random.nextInt(4); i > 0; i--) {
        text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
      }
      text.setLength(random.nextInt(text.length() + 1));
      rejected += TraceContext.parse(text.toString()) == null ? 1 : 0;
    }
    assertThat(rejected).as("seed %d", seed).isPositive();
  }

  @Test
  void noIdIsAllZeros() {
    assertThatThrownBy(() -> new TraceContext(0, 0, 1, true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TraceContext(1, 1, 0, true))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void withoutATracerContextsArePassedOnAsTheyCame() {
    TraceContext context = new TraceContext(1, 2, 3, true);
    Span span = Tracer.NONE.begin(SpanKind.SERVER, "name", context);
    assertThat(span.context()).isSameAs(context);
    assertThat(span.isRecording()).isFalse();
    assertThat(Tracer.NONE.begin(SpanKind.SERVER, "name", null)).isSameAs(Span.NONE);
    assertThat(Span.NONE.context()).isNull();
  }
}
