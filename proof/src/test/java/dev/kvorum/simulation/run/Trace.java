package dev.kvorum.simulation.run;

import dev.kvorum.virtualtime.VirtualLoop;
import java.util.ArrayList;
import java.util.List;

/** What happened in a run, as a digest of all of it and the last lines in full. */
public final class Trace {
  private static final int TAIL_LINES = 60;

  private final VirtualLoop time;
  private final long startNanos;
  private final boolean print;
  private final String[] events = new String[TAIL_LINES];
  private final long[] atMicros = new long[TAIL_LINES];
  private long digest;
  private long lines;

  public Trace(VirtualLoop time, boolean print) {
    this.time = time;
    this.startNanos = time.nanoTime();
    this.print = print;
  }

  public void note(String event) {
    long micros = (time.nanoTime() - startNanos) / 1000;
    digest = (digest ^ micros) * 0x9E3779B97F4A7C15L + event.hashCode();
    int at = (int) (lines % TAIL_LINES);
    lines++;
    events[at] = event;
    atMicros[at] = micros;
    if (print) {
      System.out.println(line(at));
    }
  }

  private String line(int at) {
    return "%.3f %s".formatted(atMicros[at] / 1000.0, events[at]);
  }

  /** Virtual milliseconds since the run began. */
  public long millis() {
    return (time.nanoTime() - startNanos) / 1_000_000;
  }

  /** The same for two runs that did the same. */
  public String digest() {
    return Long.toHexString(digest) + "/" + lines;
  }

  public List<String> tail() {
    List<String> tail = new ArrayList<>();
    for (long i = Math.max(0, lines - TAIL_LINES); i < lines; i++) {
      tail.add(line((int) (i % TAIL_LINES)));
    }
    return tail;
  }
}
