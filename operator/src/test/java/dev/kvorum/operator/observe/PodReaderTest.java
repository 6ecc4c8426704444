package dev.kvorum.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.PodView;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodReaderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
  private static final ContainerState CRASHED =
      new ContainerStateBuilder().withNewTerminated().withExitCode(1).endTerminated().build();

  private static PodView pod(ContainerState state, ContainerState last) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("kvorum-2")
            .withUid("u")
            .endMetadata()
            .withNewStatus()
            .addNewContainerStatus()
            .withName("node")
            .withImage("kvorum:bad")
            .withRestartCount(1)
            .withState(state)
            .withLastState(last)
            .endContainerStatus()
            .endStatus()
            .build();
    return PodReader.view(pod, Optional.empty(), Optional.empty(), Optional.empty(), NOW);
  }

  private static Optional<Instant> unreadySince(String ready) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("kvorum-2")
            .endMetadata()
            .withNewStatus()
            .addNewCondition()
            .withType("Ready")
            .withStatus(ready)
            .withLastTransitionTime("2026-01-01T00:03:00Z")
            .endCondition()
            .endStatus()
            .build();
    return PodReader.view(pod, Optional.empty(), Optional.empty(), Optional.empty(), NOW)
        .unreadySince();
  }

  @Test
  void aPodHasNotBeenReadySinceItsConditionChanged() {
    assertThat(unreadySince("False")).contains(Instant.parse("2026-01-01T00:03:00Z"));
    assertThat(unreadySince("True")).isEmpty();
  }

  private static ContainerState waiting(String reason) {
    return new ContainerStateBuilder()
        .withNewWaiting()
        .withReason(reason)
        .withMessage("other words each time")
        .endWaiting()
        .build();
  }

  private static ContainerState runningSince(String time) {
    return new ContainerStateBuilder().withNewRunning().withStartedAt(time).endRunning().build();
  }

  @Test
  void anImageThatCannotBeHadIsReportedInTheSameWordsThroughout() {
    ContainerState none = new ContainerState();
    assertThat(pod(waiting("ErrImagePull"), none).trouble())
        .contains("the image kvorum:bad cannot be pulled")
        .isEqualTo(pod(waiting("ImagePullBackOff"), none).trouble());
  }

  @Test
  void aCrashIsReportedInTheSameWordsUntilItIsOver() {
    Optional<String> crash = Optional.of("its container ended with exit code 1");
    assertThat(pod(CRASHED, CRASHED).trouble()).isEqualTo(crash);
    assertThat(pod(waiting("CrashLoopBackOff"), CRASHED).trouble()).isEqualTo(crash);
    assertThat(pod(runningSince("2026-01-01T00:09:30Z"), CRASHED).trouble()).isEqualTo(crash);
    assertThat(pod(runningSince("2026-01-01T00:08:30Z"), CRASHED).trouble()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1   | Error     | 10:00:01.123 INFO  Node - …~10:00:02.456 ERROR StartFailureReporter - The node does not start: kvorum.data-dir is '' ~ | : kvorum.data-dir is ''
          1   | Error     | {"log":{"level":"ERROR"},"message":"The node does not start: \\"a\\" is no size","ecs":{"version":"8.11"}} ~ | : "a" is no size
          1   | Error     | NOTE: Picked up JDK_JAVA_OPTIONS: -XX:Bogus=1~Unrecognized VM option 'Bogus=1'~Error: Could not create the Java Virtual Machine.~ | : Unrecognized VM option 'Bogus=1'
          1   | Error     | Error occurred during initialization of VM~Initial heap size set to a larger value than the maximum heap size~ | : Error occurred during initialization of VM: Initial heap size set to a larger value than the maximum heap size
          3   | Error     | Terminating due to java.lang.OutOfMemoryError: Java heap space | : Terminating due to java.lang.OutOfMemoryError: Java heap space
          1   | Error     | Error: Could not create the Java Virtual Machine. | ''
          137 | OOMKilled | 10:00:02.456 INFO  Node - served | : the kernel killed it at its memory limit
          143 | Error     | '' | ''
          """)
  void theLineOfTheLogThatGivesTheCauseIsReported(
      int code, String reason, String log, String cause) {
    ContainerState state =
        new ContainerStateBuilder()
            .withNewTerminated()
            .withExitCode(code)
            .withReason(reason)
            .withMessage(log.replace('~', '\n'))
            .endTerminated()
            .build();
    assertThat(pod(state, state).trouble())
        .contains("its container ended with exit code " + code + cause);
  }

  @Test
  void aContainerThatEndedHasRunAndOneThatIsBeingMadeHasNot() {
    ContainerState none = new ContainerState();
    assertThat(pod(waiting("ContainerCreating"), none).hasRun()).isFalse();
    assertThat(pod(waiting("ImagePullBackOff"), none).hasRun()).isFalse();
    assertThat(pod(runningSince("2026-01-01T00:09:30Z"), none).hasRun()).isTrue();
    assertThat(pod(CRASHED, none).hasRun()).isTrue();
    assertThat(pod(waiting("CrashLoopBackOff"), CRASHED).hasRun()).isTrue();
  }

  @Test
  void aContainerThatIsBeingMadeIsNoTrouble() {
    assertThat(pod(waiting("ContainerCreating"), new ContainerState()).trouble()).isEmpty();
  }

  @Test
  void aReportIsReadWithWhatIsNotKnownPassedOver() {
    String json =
        """
        {"node":"kvorum-0","cluster":"id","epoch":4,"rebuilding":false,"cleanedUp":true,"new":[1],
         "hintsWaiting":3,"transfer":{"epoch":4,"state":"DONE","sources":4,"sourcesDone":2,
                                      "records":7,"bytes":70},
         "members":[{"name":"kvorum-1","connected":true,"hints":3,"state":"ACTIVE"}]}
        """;
    NodeReport report = ReportReader.read(json.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    assertThat(report.transferred(4)).isTrue();
    assertThat(report.transferred(5)).isFalse();
    assertThat(report.transfer(4)).contains(new NodeReport.Transfer(4, true, 2, 4, 70));
    assertThat(report.cleanedUp()).isTrue();
    assertThat(report.blank()).as("older nodes do not say").isFalse();
    String blank = json.replace("\"rebuilding\":false", "\"rebuilding\":true,\"blank\":true");
    assertThat(ReportReader.read(blank.getBytes(StandardCharsets.UTF_8)).orElseThrow().blank())
        .isTrue();
    assertThat(report.peers()).containsEntry("kvorum-1", new NodeReport.PeerView(true, 3));
  }

  @Test
  void aReportOfAnotherEpochUnderTheSameNumberIsAhead() {
    String json =
        """
        {"node":"kvorum-0","cluster":"id","epoch":4,"phase":"TRANSFERRING",
         "members":[{"name":"kvorum-1","zone":"b","state":"JOINING"},
                    {"name":"kvorum-0","zone":"a","state":"ACTIVE"}]}
        """;
    NodeReport report = ReportReader.read(json.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    TopologyMember stays = new TopologyMember("kvorum-0", "a", MemberState.ACTIVE);
    TopologyMember comes = new TopologyMember("kvorum-1", "b", MemberState.JOINING);
    assertThat(report.isAheadOf(topology(4, TopologyPhase.TRANSFERRING, stays, comes))).isFalse();
    String between = json.replace("\"epoch\":4", "\"epoch\":4,\"topologyEpoch\":5");
    assertThat(ReportReader.read(between.getBytes(StandardCharsets.UTF_8)).orElseThrow().topology())
        .as("members of another epoch")
        .isEmpty();
    assertThat(report.isAheadOf(topology(5, TopologyPhase.STABLE, stays))).isFalse();
    assertThat(report.isAheadOf(topology(3, TopologyPhase.STABLE, stays))).isTrue();
    assertThat(report.isAheadOf(topology(4, TopologyPhase.SETTLING, stays, comes))).isTrue();
    assertThat(report.isAheadOf(topology(4, TopologyPhase.TRANSFERRING, stays))).isTrue();
    NodeReport moving =
        ReportReader.read(
                json.replace("JOINING\"", "MOVING\",\"nextZone\":\"c\"")
                    .replace("\"cluster\"", "\"features\":[\"moving\"],\"cluster\"")
                    .getBytes(StandardCharsets.UTF_8))
            .orElseThrow();
    assertThat(moving.operations()).containsExactly("moving");
    TopologyMember moves = new TopologyMember("kvorum-1", "b", MemberState.ACTIVE).movingTo("c");
    assertThat(moving.isAheadOf(topology(4, TopologyPhase.TRANSFERRING, stays, moves))).isFalse();
    TopologyMember elsewhere = moves.movingTo("d");
    assertThat(moving.isAheadOf(topology(4, TopologyPhase.TRANSFERRING, stays, elsewhere)))
        .isTrue();
    NodeReport unknown =
        ReportReader.read(json.replace("JOINING", "LEARNING").getBytes(StandardCharsets.UTF_8))
            .orElseThrow();
    assertThat(unknown.isAheadOf(topology(4, TopologyPhase.STABLE, stays)))
        .as("what is not known is passed over")
        .isFalse();
  }

  @Test
  void featuresAreReadApartFromOperations() {
    NodeReport report = withFeatures("[\"moving\",\"a\",\"b\",\"C\",1.5]", "[\"a\"]");
    assertThat(report.operations()).containsExactly("moving");
    assertThat(report.release().features()).containsExactlyInAnyOrder("a", "b");
    assertThat(report.activeFeatures()).containsExactly("a");
    NodeReport older = withFeatures("[\"moving\",\"removing\"]", "null");
    assertThat(older.operations()).containsExactlyInAnyOrder("moving", "removing");
    assertThat(older.release().features()).isEmpty();
    assertThat(older.activeFeatures()).isEmpty();
    assertThat(withFeatures("null", "\"a\"").activeFeatures()).isEmpty();
  }

  private static NodeReport withFeatures(String features, String active) {
    String report =
        "{\"node\":\"kvorum-0\",\"version\":\"1\",\"protocols\":\"3..4\",\"features\":%s,\"activeFeatures\":%s}"
            .formatted(features, active);
    return ReportReader.read(report.getBytes(StandardCharsets.UTF_8)).orElseThrow();
  }

  private static KvorumTopologySpec topology(
      long epoch, TopologyPhase phase, TopologyMember... members) {
    return new KvorumTopologySpec("id", epoch, phase, List.of(members), List.of());
  }

  @Test
  void whatIsNoReportIsNone() {
    for (String text : new String[] {"", "[]", "{}", "{\"node\":1}", "<html>"}) {
      assertThat(ReportReader.read(text.getBytes(StandardCharsets.UTF_8))).as(text).isEmpty();
    }
    NodeReport bare =
        ReportReader.read("{\"node\":\"a\"}".getBytes(StandardCharsets.UTF_8)).orElseThrow();
    assertThat(bare.cleanedUp()).as("not said is not yet").isFalse();
    assertThat(bare.transferred(0)).isFalse();
  }
}
