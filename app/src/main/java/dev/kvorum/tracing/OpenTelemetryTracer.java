package dev.kvorum.tracing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A tracer that exports spans to an OpenTelemetry collector, in batches and on a separate thread.
 * It makes the sampling decision itself, so that unsampled spans never reach the SDK.
 */
public final class OpenTelemetryTracer implements Tracer {
  private static final int BATCH_SPANS_MAX = 512;
  private static final Duration BATCH_WAIT_MAX = Duration.ofSeconds(1);
  private static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(5);

  private final ExportSettings settings;
  private final SdkTracerProvider provider;
  private final io.opentelemetry.api.trace.Tracer tracer;
  private final CountingExporter exporter;
  private final LongAdder recorded = new LongAdder();

  private OpenTelemetryTracer(
      ExportSettings settings, SpanProcessor processor, CountingExporter exporter) {
    this.settings = settings;
    this.exporter = exporter;
    this.provider =
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().merge(resource(settings)))
            .setSampler(Sampler.alwaysOn())
            .addSpanProcessor(processor)
            .build();
    this.tracer = provider.get("dev.kvorum");
  }

  private static Resource resource(ExportSettings settings) {
    return Resource.create(
        Attributes.of(
            AttributeKey.stringKey("service.name"),
            "kvorum",
            AttributeKey.stringKey("service.instance.id"),
            settings.member(),
            AttributeKey.stringKey("kvorum.cluster"),
            settings.cluster()));
  }

  /**
   * Creates a tracer that exports over HTTP.
   *
   * @param trouble called at intervals, on any thread, while a collector does not accept spans
   */
  public static Tracer exporting(ExportSettings settings, Consumer<String> trouble) {
    SpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(settings.tracing().endpoint())
            .setTimeout(EXPORT_TIMEOUT)
            .setMeterProvider(MeterProvider.noop())
            .build();
    return through(settings, exporter, trouble);
  }

  /** Creates a tracer with any exporter. */
  static Tracer through(ExportSettings settings, SpanExporter exporter, Consumer<String> trouble) {
    CountingExporter watched = new CountingExporter(exporter, trouble, System::nanoTime);
    loadClasses(settings, watched);
    return new OpenTelemetryTracer(
        settings,
        BatchSpanProcessor.builder(watched)
            .setMaxQueueSize(settings.tracing().queueMax())
            .setMaxExportBatchSize(Math.min(BATCH_SPANS_MAX, settings.tracing().queueMax()))
            .setScheduleDelay(BATCH_WAIT_MAX)
            .setExporterTimeout(EXPORT_TIMEOUT)
            .build(),
        watched);
  }

  /**
   * Creates a first span, which searches jars for classes and providers: this must not happen on an
   * event loop.
   */
  private static void loadClasses(ExportSettings settings, CountingExporter exporter) {
    try (Tracer nowhere = new OpenTelemetryTracer(settings, SpanProcessor.composite(), exporter)) {
      TraceContext parent = new TraceContext(1, 1, 1, true);
      for (SpanKind kind : SpanKind.values()) {
        Span span = nowhere.begin(kind, "first", parent).attribute("text", "").attribute("n", 1);
        span.failed("none");
        span.end();
      }
    }
  }

  @Override
  public Span begin(SpanKind kind, String name, @Nullable TraceContext parent) {
    boolean sampled = parent == null ? isFirstOfATrace() : parent.sampled();
    if (!sampled) {
      return Tracer.NONE.begin(kind, name, parent);
    }
    return new Recorded(
        tracer
            .spanBuilder(name)
            .setSpanKind(kind(kind))
            .setParent(parent == null ? Context.root() : context(kind, parent))
            .startSpan());
  }

  private boolean isFirstOfATrace() {
    double share = settings.tracing().sample();
    return share > 0 && ThreadLocalRandom.current().nextDouble() < share;
  }

  private static io.opentelemetry.api.trace.SpanKind kind(SpanKind kind) {
    return switch (kind) {
      case SERVER -> io.opentelemetry.api.trace.SpanKind.SERVER;
      case CLIENT -> io.opentelemetry.api.trace.SpanKind.CLIENT;
    };
  }

  private static Context context(SpanKind kind, TraceContext parent) {
    String spanId = HexFormat.of().toHexDigits(parent.spanId());
    TraceFlags flags = TraceFlags.getSampled();
    TraceState none = TraceState.getDefault();
    SpanContext made =
        switch (kind) {
          case SERVER -> SpanContext.createFromRemoteParent(parent.traceId(), spanId, flags, none);
          case CLIENT -> SpanContext.create(parent.traceId(), spanId, flags, none);
        };
    return Context.root().with(io.opentelemetry.api.trace.Span.wrap(made));
  }

  @Override
  public SpanCounts counts() {
    // Read in this order, so that spans that end meanwhile are not counted twice.
    long taken = exporter.taken();
    long rejected = exporter.rejected();
    return new SpanCounts(recorded.sum(), taken, rejected);
  }

  @Override
  public void close() {
    provider.shutdown().join(settings.closeMax().toMillis(), TimeUnit.MILLISECONDS);
  }

  /** A span of the SDK. */
  private final class Recorded implements Span {
    private final io.opentelemetry.api.trace.Span span;
    private final @Nullable TraceContext context;

    Recorded(io.opentelemetry.api.trace.Span span) {
      this.span = span;
      SpanContext made = span.getSpanContext();
      this.context = TraceContext.parse("00-" + made.getTraceId() + '-' + made.getSpanId() + "-01");
    }

    @Override
    public @Nullable TraceContext context() {
      return context;
    }

    @Override
    public boolean isRecording() {
      return true;
    }

    @Override
    public Span attribute(String name, String value) {
      span.setAttribute(name, value);
      return this;
    }

    @Override
    public Span attribute(String name, long value) {
      span.setAttribute(name, value);
      return this;
    }

    @Override
    public void failed(String error) {
      span.setStatus(StatusCode.ERROR).setAttribute("error.type", error);
    }

    @Override
    public void end() {
      recorded.increment();
      span.end();
    }
  }
}
