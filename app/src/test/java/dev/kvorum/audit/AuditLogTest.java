package dev.kvorum.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kvorum.audit.AuditLog.Dropped;
import dev.kvorum.audit.AuditRecord.Event;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.settings.TestSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records are written in order by another thread, or counted. */
class AuditLogTest {
  private static final int QUEUE = 16;
  private static final AuditSettings SETTINGS =
      TestSettings.of(
          AuditSettings.class, "queue-max=" + QUEUE, "rejections-rate=2", "writes=a/,b");

  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private @Nullable AuditLog open;

  @AfterEach
  void close() {
    if (open != null) {
      open.close();
    }
  }

  private AuditLog start(AuditOutput output) {
    AuditLog log = AuditLog.start(SETTINGS, output, () -> 0);
    open = log;
    return log;
  }

  private void keep(byte[] written) {
    new String(written, StandardCharsets.UTF_8).lines().forEach(lines::add);
  }

  private static AuditRecord record(String key) {
    return new AuditRecord(
        Instant.parse("2026-11-28T01:02:03.456789Z"),
        Event.WRITE,
        Optional.of("app"),
        Optional.of(InetAddress.getLoopbackAddress()),
        "put",
        AuditRecord.targetOf(Key.of(key)),
        201,
        "stored");
  }

  @Test
  void aRecordIsOneLineOfJson() {
    AuditLog log = start(this::keep);
    log.record(record("a\"\n€"));
    log.record(
        new AuditRecord(
            Instant.EPOCH,
            Event.DENIED,
            Optional.empty(),
            Optional.empty(),
            "range",
            AuditRecord.targetOf(KeyRange.ofPrefix(Key.of("p"))),
            0,
            "cancelled"));
    log.close();
    assertThat(lines)
        .containsExactly(
            "{\"logger\":\"kvorum.audit\",\"time\":\"2026-11-28T01:02:03.456Z\",\"event\":\"write\","
                + "\"user\":\"app\",\"address\":\"127.0.0.1\",\"operation\":\"put\","
                + "\"key\":\"a\\\"\\n€\",\"status\":201,\"outcome\":\"stored\"}",
            "{\"logger\":\"kvorum.audit\",\"time\":\"1970-01-01T00:00:00Z\",\"event\":\"denied\","
                + "\"operation\":\"range\",\"from\":\"p\",\"before\":\"q\",\"outcome\":\"cancelled\"}");
    assertThat(log.written()).isEqualTo(2);
  }

  @Test
  void whatTheQueueDoesNotHoldIsCounted() {
    CountDownLatch isFree = new CountDownLatch(1);
    CountDownLatch isWriting = new CountDownLatch(1);
    AuditLog log =
        start(written -> {
          isWriting.countDown();
          awaitLatch(isFree);
          keep(written);
        });
    log.record(record("first"));
    awaitLatch(isWriting);
    for (int i = 0; i < QUEUE + 3; i++) {
      log.record(record("key " + i));
    }
    assertThat(log.dropped(Dropped.QUEUE)).isEqualTo(3);
    isFree.countDown();
    log.close();
    assertThat(lines).hasSize(QUEUE + 1);
    assertThat(lines.getLast()).contains("key " + (QUEUE - 1));
    assertThat(log.written()).isEqualTo(QUEUE + 1);
    log.record(record("late"));
    assertThat(log.dropped(Dropped.QUEUE)).as("after the end").isEqualTo(4);
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aStopDoesNotWaitForAnOutputThatHangs() {
    CountDownLatch isFree = new CountDownLatch(1);
    AuditLog log = start(written -> awaitLatch(isFree));
    log.record(record("first"));
    log.close();
    assertThat(log.written()).isZero();
    isFree.countDown();
  }

  @Test
  void rejectionsAreLimitedAndTheOthersAreNot() {
    AuditLog log = start(this::keep);
    for (int i = 0; i < 5; i++) {
      log.rejected(record("rejected"));
      log.record(record("other"));
    }
    log.close();
    assertThat(log.dropped(Dropped.RATE)).isEqualTo(3);
    assertThat(lines).filteredOn(line -> line.contains("rejected")).hasSize(2);
    assertThat(lines).filteredOn(line -> line.contains("other")).hasSize(5);
  }

  @Test
  void goesOnAfterAnOutputThatFailed() {
    List<Throwable> failures =
        new ArrayList<>(
            List.of(
                new IOException("full"), new UncheckedIOException(new IOException()), new Error()));
    AuditLog log =
        start(written -> {
          if (failures.isEmpty()) {
            keep(written);
            return;
          }
          switch (failures.removeFirst()) {
            case IOException failure -> throw failure;
            case RuntimeException failure -> throw failure;
            case Throwable other -> throw new Error(other);
          }
        });
    for (int i = 1; i <= 3; i++) {
      log.record(record("lost"));
      int lost = i;
      await().until(() -> log.dropped(Dropped.OUTPUT) == lost);
    }
    log.record(record("kept"));
    log.close();
    assertThat(lines).singleElement().asString().contains("kept");
    assertThat(log.written()).isEqualTo(1);
  }

  @Test
  void writesAreChosenByPrefix() {
    AuditLog log = start(this::keep);
    assertThat(log.wants(Key.of("a/1"))).isTrue();
    assertThat(log.wants(Key.of("a"))).isFalse();
    assertThat(log.wants(Key.of("b"))).isTrue();
    assertThat(log.wants(Key.of("c"))).isFalse();
    AuditLog off = AuditLog.off(SETTINGS);
    assertThat(off.wants(Key.of("b"))).isFalse();
    off.record(record("none"));
    off.rejected(record("none"));
    off.close();
    assertThat(off.written() + off.dropped(Dropped.QUEUE)).isZero();
  }

  @Test
  void aKeyThatIsNoneIsCutOff() {
    assertThat(AuditRecord.targetOf("k".repeat(5000)))
        .isEqualTo(Map.of("key", "k".repeat(Key.BYTES_MAX)));
  }

  @Test
  void settingsHaveBounds() {
    assertThat(TestSettings.of(AuditSettings.class).writes()).isEmpty();
    assertThatThrownBy(() -> TestSettings.of(AuditSettings.class, "writes=" + "a,".repeat(65)))
        .hasStackTraceContaining("kvorum.audit.writes");
    assertThatThrownBy(
            () -> TestSettings.of(AuditSettings.class, "writes=" + "a".repeat(Key.BYTES_MAX + 1)))
        .hasStackTraceContaining("kvorum.audit.writes");
    AuditSettings nowhere =
        TestSettings.of(AuditSettings.class, "file=" + Path.of("none", "none", "audit.log"));
    assertThatThrownBy(() -> AuditLog.start(nowhere))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kvorum.audit.file is none/none/audit.log");
  }
}
