package dev.kvorum.tracing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A tracer that keeps the spans of sampled traces for the test to look at. */
public final class RecordingTracer implements Tracer {
  private final List<Recorded> spans = new ArrayList<>();

  /** A span that was begun. */
  public static final class Recorded implements Span {
    private final SpanKind kind;
    private final String name;
    private final TraceContext parent;
    private final TraceContext context;
    private final Map<String, Object> attributes = new TreeMap<>();
    private String error = "";
    private int ends;

    Recorded(SpanKind kind, String name, TraceContext parent, long id) {
      this.kind = kind;
      this.name = name;
      this.parent = parent;
      this.context = new TraceContext(parent.traceIdHigh(), parent.traceIdLow(), id, true);
    }

    public String name() {
      return name;
    }

    public TraceContext parent() {
      return parent;
    }

    public SpanKind kind() {
      return kind;
    }

    /** The value of an attribute; {@code null} if it is not set. */
    public @Nullable Object attribute(String attribute) {
      return attributes.get(attribute);
    }

    /** The error it failed with, or nothing. */
    public String error() {
      return error;
    }

    /** Whether it was ended exactly once. */
    public boolean isEnded() {
      return ends == 1;
    }

    @Override
    public TraceContext context() {
      return context;
    }

    @Override
    public boolean isRecording() {
      return true;
    }

    @Override
    public Span attribute(String attribute, String value) {
      attributes.put(attribute, value);
      return this;
    }

    @Override
    public Span attribute(String attribute, long value) {
      attributes.put(attribute, value);
      return this;
    }

    @Override
    public void failed(String label) {
      error = label;
    }

    @Override
    public void end() {
      ends++;
    }
  }

  @Override
  public Span begin(SpanKind kind, String name, @Nullable TraceContext parent) {
    if (parent == null || !parent.sampled()) {
      return Tracer.NONE.begin(kind, name, parent);
    }
    Recorded span = new Recorded(kind, name, parent, 1000 + spans.size());
    spans.add(span);
    return span;
  }

  /** All that were begun, in order. */
  public List<Recorded> spans() {
    return spans;
  }
}
