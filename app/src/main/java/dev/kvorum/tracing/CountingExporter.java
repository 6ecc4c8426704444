package dev.kvorum.tracing;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** An exporter that counts spans and logs rejected ones, at most once a minute. */
final class CountingExporter implements SpanExporter {
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final SpanExporter exporter;
  private final Consumer<String> trouble;
  private final LongSupplier nanoTime;
  private final LongAdder taken = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private long unlogged;
  private long nextNanos;

  CountingExporter(SpanExporter exporter, Consumer<String> trouble, LongSupplier nanoTime) {
    this.exporter = exporter;
    this.trouble = trouble;
    this.nanoTime = nanoTime;
    this.nextNanos = nanoTime.getAsLong();
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    int count = spans.size();
    CompletableResultCode result = exporter.export(spans);
    return result.whenComplete(() -> {
      if (result.isSuccess()) {
        taken.add(count);
      } else {
        lost(count, result.getFailureThrowable());
      }
    });
  }

  long taken() {
    return taken.sum();
  }

  long rejected() {
    return rejected.sum();
  }

  private synchronized void lost(int count, @Nullable Throwable why) {
    rejected.add(count);
    unlogged += count;
    long now = nanoTime.getAsLong();
    if (now - nextNanos >= 0) {
      nextNanos = now + PAUSE_NANOS;
      String reason = why == null ? "" : ": " + why.getMessage();
      trouble.accept(unlogged + " spans were not accepted by the collector" + reason);
      unlogged = 0;
    }
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }
}
