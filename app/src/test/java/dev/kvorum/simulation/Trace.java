package dev.kvorum.simulation;

import dev.kvorum.replica.VirtualLoop;
import java.util.ArrayDeque;
import java.util.List;

/** What happened in a run, as a digest of all of it and the last lines in full. */
final class Trace {
  private static final int TAIL_LINES = 60;

  private final VirtualLoop time;
  private final long startNanos;
  private final boolean print;
  private final ArrayDeque<String> tail = new ArrayDeque<>();
  private long digest;
  private long lines;

  Trace(VirtualLoop time, boolean print) {
    this.time = time;
    this.startNanos = time.nanoTime();
    this.print = print;
  }

  void note(String event) {
    long micros = (time.nanoTime() - startNanos) / 1000;
    digest = (digest ^ micros) * 0x9E3779B97F4A7C15L + event.hashCode();
    lines++;
    String line = micros / 1000 + "." + (1000 + micros % 1000 + "").substring(1) + " " + event;
    if (print) {
      System.out.println(line);
    }
    tail.addLast(line);
    if (tail.size() > TAIL_LINES) {
      tail.removeFirst();
    }
  }

  /** Virtual milliseconds since the run began. */
  long millis() {
    return (time.nanoTime() - startNanos) / 1_000_000;
  }

  /** The same for two runs that did the same. */
  String digest() {
    return Long.toHexString(digest) + "/" + lines;
  }

  List<String> tail() {
    return List.copyOf(tail);
  }
}
