package dev.kvorum.http;

import dev.kvorum.metrics.Operation;
import dev.kvorum.metrics.RequestMeters;
import dev.kvorum.tracing.TraceContext;
import dev.kvorum.tracing.Tracer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Counts, times and traces clients' requests, and logs slow ones. It logs at most ten lines per
 * second, since logging must not add to an overload. It logs no keys or values, which are clients'
 * data.
 */
public final class RequestLog {
  private static final Logger log = LoggerFactory.getLogger(RequestLog.class);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final RequestMeters meters;
  private final long slowNanos;
  private final Tracer tracer;
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());

  /**
   * Creates a log for all event loops.
   *
   * @param slow duration from which a request for one key is logged; zero disables the log
   */
  public RequestLog(RequestMeters meters, Duration slow, Tracer tracer) {
    this.meters = meters;
    this.slowNanos = slow.isZero() ? Long.MAX_VALUE : slow.toNanos();
    this.tracer = tracer;
  }

  Exchange begin(Operation operation, HttpServerRequest request, HttpServerResponse response) {
    return new Exchange(
        this, operation, request, response, RequestSpans.begin(tracer, operation, request));
  }

  void ended(Exchange exchange, long nanos) {
    RequestSpans.end(exchange);
    meters.ended(exchange.operation(), exchange.outcome(), exchange.status(), nanos);
    if (nanos >= slowNanos && isForLog(exchange.operation())) {
      meters.slow();
      write(exchange, nanos);
    }
  }

  /** A range lasts as long as its client reads; an explanation waits for the slowest replica. */
  private static boolean isForLog(Operation operation) {
    return operation != Operation.RANGE && operation != Operation.EXPLAIN;
  }

  private void write(Exchange exchange, long nanos) {
    long due = nextNanos.get();
    long now = System.nanoTime();
    if (now - due < 0 || !nextNanos.compareAndSet(due, now + PAUSE_NANOS)) {
      return;
    }
    TraceContext trace = exchange.span().context();
    LoggingEventBuilder line =
        log.atWarn()
            .addKeyValue("operation", exchange.operation().label())
            .addKeyValue("outcome", exchange.outcome())
            .addKeyValue("millis", TimeUnit.NANOSECONDS.toMillis(nanos));
    if (trace != null) {
      line = line.addKeyValue("trace.id", trace.traceId());
    }
    line.log("Slow request");
  }
}
