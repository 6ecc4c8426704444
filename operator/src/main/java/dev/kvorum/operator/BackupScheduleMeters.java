package dev.kvorum.operator;

import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.api.KvorumBackupScheduleStatus;
import dev.kvorum.operator.api.ScheduleReason;
import dev.kvorum.operator.backup.schedule.ScheduleStatusReport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Exports the state of the existing schedules of backups as metrics. */
final class BackupScheduleMeters {
  private record Key(String namespace, String name) {}

  private record Shown(String cluster, KvorumBackupScheduleStatus status) {
    double completed() {
      KvorumBackupScheduleStatus.LastBackup last = status.lastBackup();
      return seconds(last == null ? null : last.began());
    }

    double verified() {
      KvorumBackupScheduleStatus.Verification last = status.lastVerification();
      return seconds(last == null ? null : last.at());
    }

    private static double seconds(@Nullable String time) {
      return time == null || time.isEmpty() ? 0 : Instant.parse(time).getEpochSecond();
    }

    /** 1 if a condition has this reason. */
    double has(String condition, String reason) {
      return Conditions.find(status.conditions(), condition)
              .filter(it -> it.getReason().equals(reason))
              .isPresent()
          ? 1
          : 0;
    }
  }

  /** A metric with a value for each schedule. */
  private record Metric(MultiGauge gauge, ToDoubleFunction<Shown> value) {
    static Metric of(
        MeterRegistry registry, String name, String description, ToDoubleFunction<Shown> value) {
      return new Metric(
          MultiGauge.builder("kvorum.operator.backup." + name)
              .description(description)
              .register(registry),
          value);
    }
  }

  private final Map<Key, Shown> schedules = new ConcurrentHashMap<>();
  private final List<Metric> metrics;

  BackupScheduleMeters(MeterRegistry registry) {
    metrics =
        List.of(
            Metric.of(
                registry,
                "completed.timestamp.seconds",
                "beginning of a schedule's newest complete backup; 0: none",
                Shown::completed),
            Metric.of(
                registry,
                "overdue",
                "1 if two times of a schedule have passed without a complete backup",
                it -> it.has(ScheduleStatusReport.BACKED_UP, ScheduleReason.OVERDUE.label())),
            Metric.of(
                registry,
                "verified.timestamp.seconds",
                "end of a schedule's last verification that passed; 0: none",
                Shown::verified),
            Metric.of(
                registry,
                "verification.failed",
                "1 if a schedule's last verification failed",
                it ->
                    it.has(
                        ScheduleStatusReport.VERIFIED,
                        ScheduleReason.VERIFICATION_FAILED.label())));
  }

  void show(KvorumBackupSchedule schedule, KvorumBackupScheduleStatus status) {
    Key key = new Key(schedule.getMetadata().getNamespace(), schedule.getMetadata().getName());
    schedules.put(key, new Shown(schedule.getSpec().cluster(), status));
  }

  /** Shows the values of those that exist, since a deletion triggers no event here. */
  void refresh(BiPredicate<String, String> there) {
    schedules.keySet().removeIf(key -> !there.test(key.namespace(), key.name()));
    for (Metric metric : metrics) {
      metric
          .gauge()
          .register(
              schedules.entrySet().stream()
                  .<MultiGauge.Row<?>>map(it ->
                      MultiGauge.Row.of(
                          tags(it.getKey(), it.getValue()),
                          metric.value().applyAsDouble(it.getValue())))
                  .toList(),
              true);
    }
  }

  private static Tags tags(Key key, Shown shown) {
    return Tags.of(
        "namespace", key.namespace(), "schedule", key.name(), "kvorum_cluster", shown.cluster());
  }
}
