package dev.kvorum.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReplicaOutcome;
import dev.kvorum.data.RejectReason;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProblemTest {
  @Test
  void hasTheMembersOfRfc9457() {
    JsonNode json = json(Problems.NOT_FOUND);

    assertThat(json.propertyNames()).containsExactly("type", "title", "status", "detail");
    assertThat(json.get("type").asString()).isEqualTo("urn:kvorum:problem:not-found");
    assertThat(json.get("status").asInt()).isEqualTo(404);
  }

  @Test
  void reportsTheReplyOfEachReplica() {
    List<ReplicaOutcome> answers =
        List.of(
            new ReplicaOutcome(new MemberId("kvorum-1"), "stored"),
            new ReplicaOutcome(new MemberId("kvorum-0"), "timed-out"));

    JsonNode json = json(Problems.noQuorum(new Quorum(2, 3), answers, true));

    assertThat(json.get("status").asInt()).isEqualTo(504);
    assertThat(json.get("detail").asString())
        .isEqualTo(
            "1 of 2 members did not respond in time; 2 confirmations needed, 1 received; the write"
                + " may or may not be stored");
    assertThat(json.get("replicas").propertyNames()).containsExactly("kvorum-1", "kvorum-0");
    assertThat(json.get("replicas").get("kvorum-0").asString()).isEqualTo("timed-out");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "found unreachable unreachable     | 2 of 3 members are unreachable; 2 confirmations needed, 1 received; the others may have a newer value or a deletion",
        "absent unreachable not-asked      | 1 of 3 members is unreachable; 2 confirmations needed, 1 received; whether the key exists is unknown",
        "rebuilding timed-out unreachable  | 1 of 3 members did not respond in time, 1 of 3 members responded rebuilding, 1 of 3 members is unreachable; 2 confirmations needed, 0 received; whether the key exists is unknown",
        "pending unreachable unreachable   | 2 of 3 members are unreachable; 2 confirmations needed, 0 received and 1 under way; whether",
        "found pending unreachable         | 1 of 3 members did not respond in time, 1 of 3 members is unreachable; 2 confirmations needed, 1 received; the",
        "absent absent unreachable pending | needed of the old and of the new members, 2 received",
      })
  void countsTheMembersThatDidNotConfirm(String labels, String words) {
    List<ReplicaOutcome> answers =
        Stream.of(labels.split(" ", -1))
            .map(label -> new ReplicaOutcome(new MemberId("kvorum-0"), label))
            .toList();

    Problem problem = Problems.noQuorum(new Quorum(2, 3), answers, false);

    assertThat(json(problem).get("detail").asString()).contains(words);
  }

  @Test
  void keepsItsShapeWhateverTheClientSent() {
    String hostile = "\"},{\u0000\n\r\t</script>\u00e9\ud83d\ude00\ud800";

    JsonNode json = json(Problems.badRequest(new BadRequestException("invalid-number", hostile)));

    assertThat(json.get("type").asString()).isEqualTo("urn:kvorum:problem:invalid-number");
    assertThat(json.get("detail").asString()).startsWith("\"},{\u0000\n\r\t</script>");
  }

  @ParameterizedTest
  @EnumSource(RejectReason.class)
  void rejectsAWriteAsNoFaultOfTheClient(RejectReason reason) {
    Problem problem = Problems.rejected(reason);

    assertThat(problem.status().code()).isGreaterThanOrEqualTo(500);
    assertThat(json(problem).get("status").asInt()).isEqualTo(problem.status().code());
  }

  private static JsonNode json(Problem problem) {
    return JsonMapper.shared().readTree(problem.json());
  }
}
