package dev.kvorum.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Writes and syncs a few bytes again and again, and measures how long that takes. No node on the
 * same disk acknowledges a write any sooner, with or without a fault.
 */
final class DiskStalls implements AutoCloseable {
  private static final long PERIOD_MILLIS = 20;

  private final Path file;
  private final FileChannel channel;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private volatile Duration longest = Duration.ZERO;

  /** Begins on the disk of temporary files, where tests keep their nodes' data. */
  DiskStalls() {
    try {
      file = Files.createTempFile("stalls", "");
      channel = FileChannel.open(file, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    thread.scheduleWithFixedDelay(this::sync, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void sync() {
    long begun = System.nanoTime();
    try {
      channel.write(ByteBuffer.allocate(1));
      channel.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    if (took.compareTo(longest) > 0) {
      longest = took;
    }
  }

  /** The longest time that it took. */
  Duration longest() {
    return longest;
  }

  @Override
  public void close() {
    thread.close();
    try {
      channel.close();
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
