package dev.kvorum.containers;

import java.util.List;

/** The last lines of a log. */
final class LogEnd {
  private LogEnd() {}

  static String of(String log, int linesMax) {
    List<String> lines = log.lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - linesMax), lines.size()));
  }
}
