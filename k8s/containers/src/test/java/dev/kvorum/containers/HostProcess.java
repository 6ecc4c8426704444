package dev.kvorum.containers;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Optional;

/** A process of a host, whose id may since belong to another one. */
record HostProcess(String host, long pid, long startedSeconds) {
  private static final String SEPARATOR = "/";

  static HostProcess current() {
    ProcessHandle current = ProcessHandle.current();
    return new HostProcess(hostName(), current.pid(), started(current));
  }

  /** Parses what {@link #toString} returned; empty for anything else. */
  static Optional<HostProcess> parse(String label) {
    String[] parts = label.split(SEPARATOR, -1);
    try {
      return parts.length == 3
          ? Optional.of(
              new HostProcess(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2])))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Whether it ended. A process of another host counts as alive. */
  boolean isGone() {
    return host.equals(hostName())
        && ProcessHandle.of(pid).filter(process -> started(process) == startedSeconds).isEmpty();
  }

  private static long started(ProcessHandle process) {
    return process.info().startInstant().map(Instant::getEpochSecond).orElse(0L);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  @Override
  public String toString() {
    return host + SEPARATOR + pid + SEPARATOR + startedSeconds;
  }
}
