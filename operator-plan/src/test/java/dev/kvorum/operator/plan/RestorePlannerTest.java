package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.BackupSpec;
import dev.kvorum.operator.api.BootstrapSpec;
import dev.kvorum.operator.api.BootstrapSpec.RestoreSource;
import dev.kvorum.operator.api.BootstrapSpec.RestoreSpec;
import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.view.JobUser;
import dev.kvorum.operator.view.JobView;
import dev.kvorum.operator.view.RestoreView;
import dev.kvorum.operator.view.RestoreView.FoundBackup;
import dev.kvorum.operator.view.RestoreView.Work;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The restore of a backup that a new cluster begins with. */
class RestorePlannerTest extends Planned {
  private static final String ID = "20260101T000000Z-00000000";
  private static final JobView FAILED = new JobView.Failed(JobView.Cause.EXIT, "no such bucket");
  private static final JobView DONE = new JobView.Succeeded("", Optional.empty(), Optional.empty());

  private JobView check = new JobView.Absent();
  private Optional<FoundBackup> backup = Optional.empty();
  private Optional<String> ordered = Optional.empty();
  private JobView run = new JobView.Absent();
  private JobUser user = new JobUser.Unneeded();
  private int age;

  @BeforeEach
  void aRestoreIsWanted() {
    world.backup = new BackupSpec(null, new BackupSpec.BackupVolumeSpec("backups"), null, null);
    world.bootstrap =
        new BootstrapSpec(new RestoreSpec(null, new RestoreSource("earlier", "latest", null)));
  }

  private Step step() {
    return step(Optional.empty());
  }

  private Step step(Optional<String> unknown) {
    world.restore =
        new RestoreView(ordered, unknown, work("check", check), backup, work("run", run), user);
    return next();
  }

  private Work work(String name, JobView job) {
    return new Work(name, job, Optional.of(world.now.minusSeconds(age)));
  }

  /** Runs the world until the planner looks for the backup. */
  private void prepare() {
    step();
    until(Step.CheckBackup.class);
  }

  private void found(long bytes, long largestPart) {
    check = DONE;
    backup =
        Optional.of(new FoundBackup(ID, List.of("content-type"), List.of(), 3, bytes, largestPart));
  }

  @Test
  void theBackupIsLookedForBeforeAnythingIsCreated() {
    prepare();
    assertThat(world.setReplicas).isEmpty();
    check = new JobView.Running();
    assertWaits(step(), Reason.CHECKING_BACKUP);
    found(World.GIB, World.GIB / 3);
    step();
    world.run();
    assertThat(world.topology).isPresent();
    assertThat(world.ordered).contains(ID);
    assertThat(world.topology.orElseThrow().features())
        .as("what its records use")
        .containsExactly("content-type");
  }

  @Test
  void whatCannotWorkIsRejectedBeforeAnythingIsCreated() {
    prepare();
    assertRejects(step(Optional.of("KvorumBackup daily is not complete")), "is not complete");
    check = FAILED;
    assertRejects(step(), "no such bucket");
    age = 121;
    assertThat(step()).isEqualTo(new Step.RemoveRestoreJob("check"));
    // 30 GiB in three copies: 10 on each of three members, and a part of 10.
    found(30 * World.GIB, 10 * World.GIB);
    assertRejects(step(), Reason.DISK_TOO_SMALL, "needs 22756Mi on each member");
    world.sizeGib = 23;
    assertThat(step()).isInstanceOf(Step.CreateStatefulSet.class);
    backup =
        Optional.of(new FoundBackup(ID, List.of("new"), List.of("new"), 3, World.GIB, World.GIB));
    assertRejects(step(), "image kvorum:1 lacks what backup " + ID + " needs (new)");
    world.backup = null;
    assertRejects(step(), "spec.bootstrap.restore needs spec.backup");
    assertThat(world.setReplicas).isEmpty();
  }

  private static void assertRejects(Step step, String message) {
    assertRejects(step, Reason.BACKUP_UNUSABLE, message);
  }

  private static void assertRejects(Step step, Reason reason, String message) {
    assertThat(step)
        .isInstanceOfSatisfying(
            Step.Reject.class,
            reject -> {
              assertThat(reject.reason()).isEqualTo(reason);
              assertThat(reject.message()).contains(message);
            });
  }

  @Test
  void anAnswerThatIsLostIsAskedForAgain() {
    prepare();
    check = DONE;
    assertThat(step()).isEqualTo(new Step.RemoveRestoreJob("check"));
  }

  private void founded() {
    found(World.GIB, World.GIB / 3);
    step();
    world.run();
    ordered = Optional.of(ID);
  }

  @Test
  void theMembersServeNoOneUntilTheJobIsDone() {
    founded();
    assertThat(step()).isEqualTo(new Step.RestoreBackup(ID));
    BackupSpec store = world.backup;
    world.backup = null;
    assertWaits(step(), Reason.RESTORING);
    world.backup = store;
    run = new JobView.Running();
    world.replicas = 5;
    assertWaits(step(), Reason.RESTORING);
    assertThat(((Step.Wait) step()).phase()).isEqualTo(ClusterPhase.RESTORING);
    run = FAILED;
    assertWaits(step(), Reason.RESTORE_FAILED);
    age = 121;
    assertThat(step()).isEqualTo(new Step.RemoveRestoreJob("run"));
    run = DONE;
    assertThat(step()).isEqualTo(new Step.EndRestore(ID));
    ordered = Optional.empty();
    step();
    world.run();
    assertThat(world.members()).hasSize(5);
  }

  @Test
  void ordersComeFromAUserThatIsDeletedAtTheEnd() {
    founded();
    user = new JobUser.Absent();
    assertThat(step()).isEqualTo(new Step.CreateRestoreUser());
    user = new JobUser.NotReady("it has no token", true);
    assertWaits(step(), Reason.RESTORING);
    user = new JobUser.Ready("token");
    assertThat(step()).isEqualTo(new Step.RestoreBackup(ID));
    run = DONE;
    assertThat(step()).isEqualTo(new Step.RemoveRestoreUser());
    user = new JobUser.Absent();
    assertThat(step()).isEqualTo(new Step.EndRestore(ID));
  }

  @Test
  void aClusterThatIsThereKeepsItsRecords() {
    world.bootstrap = null;
    born();
    world.bootstrap =
        new BootstrapSpec(new RestoreSpec(null, new RestoreSource("earlier", "latest", null)));
    assertThat(step()).isInstanceOf(Step.Rest.class);
  }

  @Test
  void aLostTopologyIsRestoredWithItsOrder() {
    founded();
    world.present().forEach(node -> node.restoring = Optional.of(ID));
    world.topology = Optional.empty();
    ordered = Optional.empty();
    run = new JobView.Running();
    step();
    world.ordered = Optional.empty();
    world.run();
    assertThat(world.topology).isPresent();
    assertThat(world.ordered).contains(ID);
  }
}
