package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** The management port of a healthy node. */
@ExtendWith(PrintsNodeLogs.class)
class ActuatorIT {
  private static final NodeProcess NODE = SharedCluster.get().node(1);

  @Test
  void saysThatItLivesAndIsReady() {
    for (String group : new String[] {"", "/liveness", "/readiness"}) {
      assertThat(NODE.management().json("/actuator/health" + group).get("status").asString())
          .isEqualTo("UP");
    }
  }

  @Test
  void failsForWhatItsGroupsContain() {
    assertThat(componentsOf("liveness"))
        .containsExactlyInAnyOrder("livenessState", "storeRestart", "superseded");
    assertThat(componentsOf("readiness"))
        .containsExactlyInAnyOrder("readinessState", "store", "member", "fence", "restore");
  }

  private static Collection<String> componentsOf(String group) {
    return NODE.management().json("/actuator/health/" + group).get("components").propertyNames();
  }

  @Test
  void givesItsMetersToPrometheus() {
    String meters = Client.text(NODE.management().path("/actuator/prometheus"));

    assertThat(meters).contains("kvorum_hints_kept_total", "kvorum_reads_repaired_total", "jvm_");
  }

  @Test
  void returnsTheStateOfTheCluster() {
    JsonNode state = NODE.management().json("/actuator/kvorum");

    assertThat(state.get("node").asString()).isEqualTo("kvorum-1");
    assertThat(state.get("epoch").asLong()).isEqualTo(1);
    assertThat(state.get("slots").asInt()).isEqualTo(4096);
    assertThat(state.get("transfers")).isEmpty();
    assertThat(state.get("transfer").get("state").asString()).isEqualTo("NONE");
    assertThat(state.get("cleanedUp").asBoolean()).isTrue();
    // What the operator looks at before a member may leave.
    assertThat(state.get("dataBytes").asLong()).isPositive();
    assertThat(state.get("diskFreeBytes").asLong()).isPositive();
    assertThat(state.get("members").valueStream().map(member -> member.get("name").asString()))
        .containsExactlyInAnyOrder("kvorum-0", "kvorum-1", "kvorum-2");
    assertThat(state.get("members").valueStream().map(member -> member.get("state").asString()))
        .containsOnly("ACTIVE");
  }

  @Test
  void keepsTheTwoPortsApart() {
    assertThat(NODE.management().get("k").statusCode()).isEqualTo(404);
    assertThat(NODE.client().path("/actuator/prometheus").statusCode()).isEqualTo(400);
  }

  @Test
  void hasTheUsualAnswerToUnknownPaths() {
    for (String path : new String[] {"/nowhere", "/console/nowhere", "/actuator/nowhere"}) {
      HttpResponse<byte[]> answer = NODE.management().path(path);
      assertThat(answer.statusCode()).as(path).isEqualTo(404);
      assertThat(Client.text(answer)).as(path).doesNotContain("unknown-path");
    }
  }
}
