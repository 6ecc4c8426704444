package dev.kvorum.http;

import dev.kvorum.coordinator.KeyReport;
import dev.kvorum.coordinator.KeyReport.Answer;
import dev.kvorum.coordinator.KeyReport.Copy;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReplicaOutcome;
import dev.kvorum.data.Key;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.http.problem.Shortfall;
import dev.kvorum.topology.MemberId;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A report on a key as fields of JSON, with a sentence that says why a read is answered as it is.
 */
final class Explanation {
  private Explanation() {}

  /**
   * Renders a report.
   *
   * @param comparedWith returns when this node last had all records that a peer had
   */
  static Map<String, Object> of(
      Key key, KeyReport report, Function<MemberId, Optional<Instant>> comparedWith) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("key", key.toString());
    fields.put("slot", report.slot());
    fields.put("epoch", report.epoch());
    fields.put("phase", report.phase().name());
    fields.put("ack", report.quorum().ack());
    fields.put("from", report.quorum().from());
    fields.put("status", status(report.answer()));
    fields.put("explanation", sentence(report));
    fields.put(
        "replicas", report.copies().stream().map(copy -> replica(copy, comparedWith)).toList());
    return fields;
  }

  private static Map<String, Object> replica(
      Copy copy, Function<MemberId, Optional<Instant>> comparedWith) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("member", copy.member().name());
    fields.put("read", copy.isRead());
    Versioned record = copy.record();
    if (record == null) {
      fields.put("record", copy.outcome());
    } else {
      fields.put("record", record.tombstone() ? "tombstone" : "value");
      fields.put("version", record.version().toString());
      fields.put("written", written(record).toString());
      if (record.expiresAtMillis() != Versioned.NEVER) {
        fields.put("expires", record.expiresAtMillis());
      }
      fields.put("bytes", copy.valueBytes());
      fields.put("from", record.from());
      fields.put("checksum", HexFormat.of().toHexDigits(record.checksum()));
    }
    fields.put("hintsWaiting", copy.hintsWaiting());
    comparedWith.apply(copy.member()).ifPresent(when -> fields.put("compared", when.toString()));
    return fields;
  }

  private static int status(Answer answer) {
    return switch (answer) {
      case VALUE -> 200;
      case DELETED, EXPIRED, ABSENT -> 404;
      case UNANSWERED -> 504;
    };
  }

  /** Why a read is answered as it is. */
  static String sentence(KeyReport report) {
    Quorum quorum = report.quorum();
    String read =
        "GET with ack="
            + quorum.ack()
            + " and from="
            + quorum.from()
            + " is answered with "
            + status(report.answer())
            + ": ";
    return switch (report.answer()) {
      case UNANSWERED -> read + Shortfall.of(quorum, report.outcomes()) + ".";
      case ABSENT -> read + "no replica that responded has a record" + failures(report) + ".";
      case VALUE, DELETED, EXPIRED ->
          read + newest(report) + holders(report) + failures(report) + "." + caution(report);
    };
  }

  private static String newest(KeyReport report) {
    Versioned newest = report.newestIfAny().orElseThrow();
    String version = "version " + newest.version() + ", written " + written(newest);
    return switch (report.answer()) {
      case DELETED -> version + ", is a deletion";
      case EXPIRED -> version + ", expired " + Instant.ofEpochMilli(newest.expiresAtMillis());
      case VALUE, ABSENT, UNANSWERED -> version;
    };
  }

  private static Instant written(Versioned record) {
    return Instant.ofEpochMilli(record.version().millis());
  }

  /** How many replicas have the newest record, and what the others have. */
  private static String holders(KeyReport report) {
    List<Copy> read = report.copies().stream().filter(Copy::isRead).toList();
    Version newest = report.newestIfAny().orElseThrow().version();
    long holders = read.stream().filter(copy -> copy.version().equals(newest)).count();
    String text = ", on " + holders + " of " + read.size() + " replicas";
    String others =
        read.stream()
            .filter(copy -> isConfirmation(copy) && !copy.version().equals(newest))
            .map(copy ->
                copy.member().name()
                    + (copy.record() == null ? " has none" : " has an older version"))
            .collect(Collectors.joining(", "));
    return others.isEmpty() ? text : text + "; " + others;
  }

  private static String failures(KeyReport report) {
    return report.copies().stream()
        .filter(copy -> copy.isRead() && !isConfirmation(copy))
        .map(copy -> "; " + copy.member().name() + reason(copy.outcome()))
        .collect(Collectors.joining());
  }

  private static String reason(String label) {
    return label.equals(RejectReason.UNREACHABLE.label())
        ? " is unreachable"
        : label.equals(RejectReason.TIMED_OUT.label())
            ? " did not respond in time"
            : " responded " + label;
  }

  /** A read that waits for fewer replicas than lack the newest record may not see it. */
  private static String caution(KeyReport report) {
    Version newest = report.newestIfAny().orElseThrow().version();
    long lacking =
        report.copies().stream()
            .filter(copy -> copy.isRead() && isConfirmation(copy))
            .filter(copy -> !copy.version().equals(newest))
            .count();
    return lacking >= report.quorum().ack()
        ? " With this ack the others may answer first, with what they have."
        : "";
  }

  private static boolean isConfirmation(Copy copy) {
    return new ReplicaOutcome(copy.member(), copy.outcome()).isConfirmation();
  }
}
