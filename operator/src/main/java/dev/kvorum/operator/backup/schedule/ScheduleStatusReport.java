package dev.kvorum.operator.backup.schedule;

import dev.kvorum.operator.api.BackupResult;
import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.EventDraft;
import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupScheduleStatus;
import dev.kvorum.operator.api.KvorumBackupScheduleStatus.LastBackup;
import dev.kvorum.operator.api.ScheduleReason;
import dev.kvorum.operator.backup.schedule.SchedulePlanner.Trouble;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Derives a schedule's status and Events from the observed state and the next step. */
public final class ScheduleStatusReport {
  static final String READY = "Ready";
  public static final String BACKED_UP = "BackedUp";
  static final String PRUNED = "Pruned";
  public static final String VERIFIED = "Verified";

  private ScheduleStatusReport() {}

  private record Why(boolean holds, ScheduleReason reason, String message) {}

  /** Returns the new status. */
  public static KvorumBackupScheduleStatus of(ScheduleObserved there, ScheduleStep step) {
    KvorumBackupScheduleStatus before = there.status();
    if (there.isDeleting()) {
      return before;
    }
    ScheduleStep.Verified verified = step instanceof ScheduleStep.Verified it ? it : null;
    return new KvorumBackupScheduleStatus(
        there.schedule().getMetadata().getGeneration(),
        step instanceof ScheduleStep.Scheduled it ? it.at().toString() : before.scheduledAt(),
        next(there).map(Instant::toString).orElse(null),
        there.newest().map(ScheduleStatusReport::last).orElse(before.lastBackup()),
        step instanceof ScheduleStep.Pruned it ? it.after() : before.prunedAfter(),
        verifiedFor(step, before.verificationScheduledAt()),
        there.spec().verify() == null
            ? null
            : verified == null ? before.lastVerification() : verified.verification(),
        conditions(there, step));
  }

  private static @Nullable String verifiedFor(ScheduleStep step, @Nullable String before) {
    return switch (step) {
      case ScheduleStep.Verified it -> it.at().toString();
      case ScheduleStep.NotVerified it -> it.at().toString();
      default -> before;
    };
  }

  private static Optional<Instant> next(ScheduleObserved there) {
    return there.spec().suspend() || SchedulePlanner.trouble(there).isPresent()
        ? Optional.empty()
        : there.times().backups().flatMap(cron -> cron.next(there.now()));
  }

  private static LastBackup last(KvorumBackup backup) {
    String created = backup.getMetadata().getCreationTimestamp();
    return new LastBackup(
        backup.getMetadata().getName(),
        SchedulePlanner.id(backup),
        Optional.ofNullable(backup.known().result()).map(BackupResult::began).orElse(created));
  }

  private static List<Condition> conditions(ScheduleObserved there, ScheduleStep step) {
    List<Condition> all = new ArrayList<>();
    all.add(condition(there, READY, ready(there)));
    all.add(condition(there, BACKED_UP, backedUp(there)));
    if (there.spec().retention() != null) {
      add(all, there, PRUNED, pruned(step));
    }
    if (there.spec().verify() != null) {
      add(all, there, VERIFIED, verified(step));
    }
    return all;
  }

  /** Adds what the step says, or else the condition as it was. */
  private static void add(
      List<Condition> all, ScheduleObserved there, String type, Optional<Why> why) {
    why.map(it -> condition(there, type, it))
        .or(() -> Conditions.find(there.status().conditions(), type))
        .ifPresent(all::add);
  }

  private static Condition condition(ScheduleObserved there, String type, Why why) {
    return Conditions.next(
            there.status().conditions(),
            type,
            why.holds(),
            why.reason().label(),
            why.message(),
            there.now())
        .build();
  }

  private static Why ready(ScheduleObserved there) {
    Optional<Trouble> trouble = SchedulePlanner.trouble(there);
    if (trouble.isPresent()) {
      return new Why(false, trouble.get().reason(), trouble.get().message());
    }
    return there.spec().suspend()
        ? new Why(true, ScheduleReason.SUSPENDED, "no backup begins")
        : new Why(true, ScheduleReason.SCHEDULED, "backups begin at " + there.spec().cron());
  }

  private static Why backedUp(ScheduleObserved there) {
    if (there.times().invalid().isPresent()) {
      return new Why(
          false, ScheduleReason.OVERDUE, "no backup begins: " + there.times().invalid().get());
    }
    Optional<LastBackup> last = there.newest().map(ScheduleStatusReport::last);
    if (isOverdue(there, last.map(it -> Instant.parse(it.began())).orElse(there.createdAt()))) {
      return new Why(
          false,
          ScheduleReason.OVERDUE,
          "two times of the schedule have passed without a complete backup");
    }
    return last.map(it ->
            new Why(true, ScheduleReason.COMPLETE, it.name() + " is complete, with id " + it.id()))
        .orElse(new Why(false, ScheduleReason.NO_BACKUP_YET, "there is no complete backup yet"));
  }

  /** Whether two times have passed since this one. */
  private static boolean isOverdue(ScheduleObserved there, Instant since) {
    if (there.spec().suspend()) {
      return false;
    }
    return there
        .times()
        .backups()
        .flatMap(cron ->
            cron.last(there.now()).flatMap(last -> cron.last(last.minus(1, ChronoUnit.MINUTES))))
        .filter(since::isBefore)
        .isPresent();
  }

  private static Optional<Why> pruned(ScheduleStep step) {
    return step instanceof ScheduleStep.Pruned pruned
        ? Optional.of(
            new Why(
                pruned.done(),
                pruned.done() ? ScheduleReason.PRUNED : ScheduleReason.PRUNE_FAILED,
                pruned.message()))
        : Optional.empty();
  }

  private static Optional<Why> verified(ScheduleStep step) {
    return switch (step) {
      case ScheduleStep.Verified it ->
          Optional.of(
              new Why(
                  true,
                  ScheduleReason.VERIFIED,
                  "backup " + it.verification().id() + ": " + it.verification().summary()));
      case ScheduleStep.NotVerified it ->
          Optional.of(new Why(false, ScheduleReason.VERIFICATION_FAILED, it.message()));
      case ScheduleStep.AwaitUser it ->
          Optional.of(new Why(false, ScheduleReason.USER_NOT_READY, it.message()));
      default -> Optional.empty();
    };
  }

  /** Returns the Events of a status that was just written: of ends, and of what is wrong now. */
  public static List<EventDraft> events(ScheduleObserved there, ScheduleStep step) {
    List<EventDraft> news = new ArrayList<>();
    pruned(step)
        .or(() -> verified(step))
        .filter(why -> why.reason() != ScheduleReason.USER_NOT_READY)
        .ifPresent(why -> news.add(of(why)));
    for (Why why : List.of(ready(there), backedUp(there))) {
      if (!why.holds() && why.reason() != ScheduleReason.NO_BACKUP_YET && isNew(there, why)) {
        news.add(of(why));
      }
    }
    return news;
  }

  private static EventDraft of(Why why) {
    return why.holds()
        ? EventDraft.normal(why.reason().label(), why.message())
        : EventDraft.warning(why.reason().label(), why.message());
  }

  private static boolean isNew(ScheduleObserved there, Why why) {
    return there.status().conditions().stream()
        .noneMatch(it -> it.getReason().equals(why.reason().label()));
  }
}
