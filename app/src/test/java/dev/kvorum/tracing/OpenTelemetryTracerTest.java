package dev.kvorum.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.settings.TestSettings;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OpenTelemetryTracerTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final TraceContext PARENT =
      new TraceContext(0x0af7651916cd43ddL, 0x8448eb211c80319cL, 0xb7ad6b7169203331L, true);
  private static final TraceContext UNSAMPLED = new TraceContext(1, 2, 3, false);

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  // The exported spans, since the exporter clears its own on shutdown.
  private final List<SpanData> taken = new ArrayList<>();

  private final SpanExporter keeping =
      new SpanExporter() {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
          taken.addAll(spans);
          return exporter.export(spans);
        }

        @Override
        public CompletableResultCode flush() {
          return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
          return exporter.shutdown();
        }
      };

  private Tracer tracer(double sample) {
    ExportSettings settings =
        new ExportSettings(
            TestSettings.of(
                TracingSettings.class,
                "endpoint=http://unused.test/v1/traces",
                "sample=" + sample,
                "queue-max=64"),
            Duration.ofSeconds(10),
            "orders",
            "n1");
    return OpenTelemetryTracer.through(settings, keeping, message -> {});
  }

  @Test
  void aSpanIsAChildOfTheParentThatCameIn() {
    try (Tracer tracer = tracer(0)) {
      Span server = tracer.begin(SpanKind.SERVER, "PUT /v0/entity", PARENT);
      assertThat(server.isRecording()).isTrue();
      Span call = tracer.begin(SpanKind.CLIENT, "Replica/Write", server.context());
      call.attribute("kvorum.peer", "n2").failed("timed-out");
      call.end();
      server.attribute("kvorum.ack", 2).end();
    }
    assertThat(taken).hasSize(2).allMatch(span -> span.getTraceId().equals(TRACE));
    SpanData call = taken.get(0);
    SpanData server = taken.get(1);
    assertThat(server.getParentSpanId()).isEqualTo("b7ad6b7169203331");
    assertThat(server.getParentSpanContext().isRemote()).isTrue();
    assertThat(server.getKind()).isEqualTo(io.opentelemetry.api.trace.SpanKind.SERVER);
    assertThat(server.getAttributes().get(AttributeKey.longKey("kvorum.ack"))).isEqualTo(2);
    assertThat(server.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(call.getParentSpanId()).isEqualTo(server.getSpanId());
    assertThat(call.getParentSpanContext().isRemote()).isFalse();
    assertThat(call.getKind()).isEqualTo(io.opentelemetry.api.trace.SpanKind.CLIENT);
    assertThat(call.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(call.getAttributes().get(AttributeKey.stringKey("error.type")))
        .isEqualTo("timed-out");
  }

  @Test
  void saysWhichNodeOfWhichClusterItIs() {
    try (Tracer tracer = tracer(0)) {
      tracer.begin(SpanKind.SERVER, "GET /v0/entity", PARENT).end();
    }
    assertThat(taken.getFirst().getResource().getAttributes().asMap())
        .containsEntry(AttributeKey.stringKey("service.name"), "kvorum")
        .containsEntry(AttributeKey.stringKey("service.instance.id"), "n1")
        .containsEntry(AttributeKey.stringKey("kvorum.cluster"), "orders");
  }

  @Test
  void aParentsOwnDecisionHoldsWhateverTheShare() {
    try (Tracer all = tracer(1);
        Tracer none = tracer(0)) {
      Span span = all.begin(SpanKind.SERVER, "GET /v0/entity", UNSAMPLED);
      assertThat(span.isRecording()).isFalse();
      assertThat(span.context()).isEqualTo(UNSAMPLED);
      span.end();
      assertThat(none.begin(SpanKind.SERVER, "GET /v0/entity", PARENT).isRecording()).isTrue();
    }
    assertThat(taken).isEmpty();
  }

  @Test
  void aShareOfTheRequestsWithoutAParentBeginsATrace() {
    try (Tracer none = tracer(0);
        Tracer all = tracer(1);
        Tracer some = tracer(0.25)) {
      assertThat(none.begin(SpanKind.SERVER, "GET /v0/entity", null)).isSameAs(Span.NONE);
      Span first = all.begin(SpanKind.SERVER, "GET /v0/entity", null);
      assertThat(first.context()).isNotNull().matches(TraceContext::sampled);
      long sampled =
          IntStream.range(0, 4000)
              .filter(i -> some.begin(SpanKind.SERVER, "GET /v0/entity", null).isRecording())
              .count();
      // Ten standard deviations to either side.
      assertThat(sampled).isBetween(720L, 1280L);
      first.end();
    }
    assertThat(taken).singleElement().matches(span -> !span.getParentSpanContext().isValid());
  }

  @Test
  void spansAreCountedByWhatBecomesOfThem() {
    Tracer tracer = tracer(0);
    tracer.begin(SpanKind.SERVER, "GET /v0/entity", PARENT).end();
    tracer.begin(SpanKind.SERVER, "GET /v0/entity", UNSAMPLED).end();
    assertThat(tracer.counts().recorded()).isOne();
    tracer.close();
    assertThat(tracer.counts()).isEqualTo(new SpanCounts(1, 1, 0));
    assertThat(Tracer.NONE.counts()).isEqualTo(new SpanCounts(0, 0, 0));
  }

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void aCollectorThatNeverAnswersIsWaitedForNoLongerThanIsSet() {
    SpanExporter silent =
        new SpanExporter() {
          @Override
          public CompletableResultCode export(Collection<SpanData> spans) {
            return new CompletableResultCode();
          }

          @Override
          public CompletableResultCode flush() {
            return new CompletableResultCode();
          }

          @Override
          public CompletableResultCode shutdown() {
            return new CompletableResultCode();
          }
        };
    ExportSettings settings =
        new ExportSettings(
            TestSettings.of(
                TracingSettings.class, "endpoint=http://unused.test", "sample=1", "queue-max=4"),
            Duration.ofMillis(200),
            "c",
            "n");
    Tracer tracer = OpenTelemetryTracer.through(settings, silent, message -> {});
    for (int i = 0; i < 1000; i++) {
      tracer.begin(SpanKind.SERVER, "GET /v0/entity", null).end();
    }
    long began = System.nanoTime();
    tracer.close();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(4));
    assertThat(tracer.counts()).isEqualTo(new SpanCounts(1000, 0, 0));
  }

  @Test
  void lostSpansAreLoggedOnceAMinute() {
    SpanExporter rejecting =
        new SpanExporter() {
          @Override
          public CompletableResultCode export(Collection<SpanData> spans) {
            return CompletableResultCode.ofExceptionalFailure(new IllegalStateException("away"));
          }

          @Override
          public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
          }

          @Override
          public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
          }
        };
    try (Tracer tracer = tracer(0)) {
      tracer.begin(SpanKind.SERVER, "GET /v0/entity", PARENT).end();
    }
    long[] now = {5};
    List<String> logged = new ArrayList<>();
    CountingExporter watched = new CountingExporter(rejecting, logged::add, () -> now[0]);
    watched.export(taken);
    watched.export(taken);
    now[0] += TimeUnit.SECONDS.toNanos(59);
    watched.export(taken);
    assertThat(logged).containsExactly("1 spans were not accepted by the collector: away");
    now[0] += TimeUnit.SECONDS.toNanos(1);
    watched.export(taken);
    assertThat(logged).hasSize(2).last().asString().startsWith("3 spans ");
    assertThat(watched.rejected()).isEqualTo(4);
    assertThat(watched.taken()).isZero();
  }
}
