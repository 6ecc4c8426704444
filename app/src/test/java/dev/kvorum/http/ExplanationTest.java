package dev.kvorum.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.coordinator.KeyReport;
import dev.kvorum.coordinator.KeyReport.Copy;
import dev.kvorum.coordinator.KeyReport.Result;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReplicaOutcome;
import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExplanationTest {
  private static final Key KEY = Key.of("greeting");
  private static final Instant WRITTEN = Instant.parse("2026-05-01T10:00:00.250Z");
  private static final Version NEW = new Version(Version.stampOf(WRITTEN.toEpochMilli()), 7);
  private static final Version OLD = new Version(NEW.stamp() - 1, 7);
  private static final String VERSION = "version " + NEW + ", written 2026-05-01T10:00:00.250Z";

  private static Versioned value(Version version) {
    return Versioned.live(version, Versioned.NEVER, 3, new byte[0]).sealed(KEY);
  }

  private static ReplicaOutcome outcome(int member, String label) {
    return new ReplicaOutcome(new MemberId("n" + member), label);
  }

  private static Copy copy(int member, String outcome, @Nullable Versioned record) {
    return new Copy(outcome(member, outcome), true, record, 5, member);
  }

  private static Copy found(int member, Versioned record) {
    return copy(member, "found", record);
  }

  private static KeyReport report(
      int ack, Result result, @Nullable Versioned newest, Copy... copies) {
    return new KeyReport(
        417,
        2,
        Phase.STABLE,
        new Quorum(ack, 3),
        result,
        Optional.ofNullable(newest),
        List.of(copies));
  }

  private static String sentence(
      int ack, Result result, @Nullable Versioned newest, Copy... copies) {
    return Explanation.sentence(report(ack, result, newest, copies));
  }

  @Test
  void aValueOnAllReplicas() {
    Versioned record = value(NEW);
    assertThat(
            sentence(2, Result.VALUE, record, found(0, record), found(1, record), found(2, record)))
        .isEqualTo(
            "GET with ack=2 and from=3 is answered with 200: " + VERSION + ", on 3 of 3 replicas.");
  }

  @Test
  void namesTheReplicasThatLackItAndWarnsIfTheyMayAnswer() {
    Versioned record = value(NEW);
    Copy[] copies = {found(0, record), found(1, value(OLD)), copy(2, "absent", null)};
    String seen = "200: " + VERSION + ", on 1 of 3 replicas; n1 has an older version, n2 has none.";
    assertThat(sentence(3, Result.VALUE, record, copies)).endsWith(seen);
    assertThat(sentence(2, Result.VALUE, record, copies))
        .endsWith(seen + " With this ack the others may answer first, with what they have.");
  }

  @Test
  void namesTheReplicasThatDidNotReply() {
    Versioned record = value(NEW);
    assertThat(
            sentence(
                1,
                Result.VALUE,
                record,
                found(0, record),
                copy(1, "unreachable", null),
                copy(2, "checksum-mismatch", null)))
        .endsWith(", on 1 of 3 replicas; n1 is unreachable; n2 responded checksum-mismatch.");
  }

  @Test
  void aDeletionAnExpiryAndAnAbsence() {
    Versioned deletion = Versioned.tombstone(NEW, 3).sealed(KEY);
    assertThat(sentence(1, Result.DELETED, deletion, found(0, deletion)))
        .endsWith("404: " + VERSION + ", is a deletion, on 1 of 1 replicas.");
    Versioned expired =
        Versioned.live(NEW, WRITTEN.toEpochMilli() + 1000, 3, new byte[0]).sealed(KEY);
    assertThat(sentence(1, Result.EXPIRED, expired, found(0, expired)))
        .endsWith("404: " + VERSION + ", expired 2026-05-01T10:00:01.250Z, on 1 of 1 replicas.");
    assertThat(
            sentence(2, Result.ABSENT, null, copy(0, "absent", null), copy(1, "timed-out", null)))
        .endsWith("404: no replica that responded has a record; n1 did not respond in time.");
  }

  @Test
  void aQuorumThatIsNotReached() {
    assertThat(
            sentence(
                2,
                Result.NO_QUORUM,
                value(NEW),
                found(0, value(NEW)),
                copy(1, "unreachable", null),
                copy(2, "unreachable", null)))
        .endsWith("504: 2 of 3 members are unreachable; 2 confirmations needed, 1 received.");
  }

  @Test
  void rendersEachReplica() {
    Versioned record = Versioned.live(NEW, 99, 2, new byte[0]).sealed(KEY);
    Copy onlyWritten = new Copy(outcome(1, "absent"), false, null, 0, 0);
    Map<String, Object> fields =
        Explanation.of(
            KEY,
            report(1, Result.VALUE, record, found(0, record), onlyWritten),
            member -> member.name().equals("n1") ? Optional.of(WRITTEN) : Optional.empty());
    JsonNode report = JsonMapper.shared().valueToTree(fields);
    assertThat(report.get("key").asString()).isEqualTo("greeting");
    assertThat(report.get("slot").asInt()).isEqualTo(417);
    assertThat(report.get("status").asInt()).isEqualTo(200);
    JsonNode first = report.get("replicas").get(0);
    assertThat(first.get("record").asString()).isEqualTo("value");
    assertThat(first.get("version").asString()).isEqualTo(NEW.toString());
    assertThat(first.get("expires").asLong()).isEqualTo(99);
    assertThat(first.get("bytes").asInt()).isEqualTo(5);
    assertThat(first.get("from").asInt()).isEqualTo(2);
    assertThat(first.get("checksum").asString()).matches("[0-9a-f]{8}");
    assertThat(first.has("compared")).isFalse();
    assertThat(report.get("replicas").get(1).toString())
        .isEqualTo(
            "{\"member\":\"n1\",\"read\":false,\"record\":\"absent\",\"hintsWaiting\":0,"
                + "\"compared\":\"2026-05-01T10:00:00.250Z\"}");
  }
}
