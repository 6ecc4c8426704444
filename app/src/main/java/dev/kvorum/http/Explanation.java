package dev.kvorum.http;

import dev.kvorum.coordinator.KeyReport;
import dev.kvorum.coordinator.KeyReport.Copy;
import dev.kvorum.coordinator.KeyReport.Result;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.data.Key;
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
  private static final String CAUTION =
      " With this ack the others may answer first, with what they have.";

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
    fields.put("status", status(report.result()));
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
      fields.put("record", copy.outcome().label());
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

  private static int status(Result result) {
    return switch (result) {
      case VALUE -> 200;
      case DELETED, EXPIRED, ABSENT -> 404;
      case NO_QUORUM -> 504;
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
            + status(report.result())
            + ": ";
    return switch (report.result()) {
      case NO_QUORUM -> read + Shortfall.of(quorum, report.outcomes()) + ".";
      case ABSENT -> read + "no replica that responded has a record" + failures(report) + ".";
      case VALUE, DELETED, EXPIRED -> read + found(report, report.newest().orElseThrow());
    };
  }

  /** The newest record, how many replicas have it, and what the others have. */
  private static String found(KeyReport report, Versioned newest) {
    List<Copy> read = report.copies().stream().filter(Copy::isRead).toList();
    List<Copy> lacking =
        read.stream()
            .filter(copy -> copy.outcome().isConfirmation())
            .filter(copy -> !copy.version().equals(newest.version()))
            .toList();
    long holders = read.stream().filter(copy -> copy.version().equals(newest.version())).count();
    String others =
        lacking.stream()
            .map(copy ->
                copy.member().name()
                    + (copy.record() == null ? " has none" : " has an older version"))
            .collect(Collectors.joining(", "));
    return inWords(newest, report.result())
        + ", on "
        + holders
        + " of "
        + read.size()
        + " replicas"
        + (others.isEmpty() ? "" : "; " + others)
        + failures(report)
        + "."
        + (lacking.size() >= report.quorum().ack() ? CAUTION : "");
  }

  private static String inWords(Versioned newest, Result result) {
    String version = "version " + newest.version() + ", written " + written(newest);
    return switch (result) {
      case DELETED -> version + ", is a deletion";
      case EXPIRED -> version + ", expired " + Instant.ofEpochMilli(newest.expiresAtMillis());
      case VALUE, ABSENT, NO_QUORUM -> version;
    };
  }

  private static Instant written(Versioned record) {
    return Instant.ofEpochMilli(record.version().millis());
  }

  private static String failures(KeyReport report) {
    return report.outcomes().stream()
        .filter(outcome -> !outcome.isConfirmation())
        .map(outcome -> "; " + Shortfall.of(outcome))
        .collect(Collectors.joining());
  }
}
