package dev.kvorum.plugin;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.LossStatus;
import dev.kvorum.operator.api.PlanStatus;
import dev.kvorum.operator.api.PlannedMember;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code plan}. */
@Command(
    name = "plan",
    description = {
      "Shows what another number of members would change, and changes nothing.",
      "It sets spec.dryRunReplicas of the KvorumCluster until the operator has responded."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class PlanCommand extends ClusterCommand {
  private static final int MAX_MEMBERS = 99;
  private static final String UNKNOWN = "-";
  private static final String FIELD = "dryRunReplicas";

  @Parameters(paramLabel = "N", description = "number of members")
  private int replicas;

  @Mixin private final WaitOption wait = new WaitOption();

  PlanCommand() {}

  @Override
  int run(Target target) throws InterruptedException {
    if (replicas < 1 || replicas > MAX_MEMBERS) {
      throw Target.wrong("N is 1 to " + MAX_MEMBERS + ", not " + replicas);
    }
    KvorumCluster there = target.cluster();
    Integer before = there.getSpec().dryRunReplicas();
    String name = there.getMetadata().getName();
    Runnable restore = () -> target.patchSpec(name, FIELD, String.valueOf(before));
    try {
      long generation = target.patchSpec(name, FIELD, String.valueOf(replicas));
      return wait.await(
          err(),
          "there is no plan yet. Does the operator run?",
          restore,
          () -> progress(target.existing(name), generation));
    } finally {
      restore.run();
    }
  }

  private WaitOption.Progress progress(KvorumCluster cluster, long generation) {
    KvorumClusterStatus status = cluster.known();
    Long observed = status.observedGeneration();
    PlanStatus plan = status.plan();
    if (observed == null || observed < generation || plan == null || plan.replicas() != replicas) {
      return new WaitOption.Progress("the operator has not seen it yet", OptionalInt.empty());
    } else if (plan.fits() == null && plan.movedSlots() == null) {
      return new WaitOption.Progress(plan.message(), OptionalInt.empty());
    }
    print(plan);
    return new WaitOption.Progress("", OptionalInt.of(0));
  }

  private void print(PlanStatus plan) {
    out()
        .println(
            "%d members: %s%s"
                .formatted(
                    plan.replicas(),
                    fits(plan.fits()),
                    plan.reason() == null ? "" : " (" + plan.reason() + ")"));
    out().println(plan.message());
    if (plan.movedSlots() != null) {
      out()
          .println(
              "copies of slots that move: %d, duration: roughly %s"
                  .formatted(
                      plan.movedSlots(),
                      Objects.requireNonNullElse(plan.roughDuration(), "unknown")));
    }
    if (!plan.members().isEmpty()) {
      Table members = new Table("MEMBER", "ZONE", "SLOTS", "NOW", "SIZE");
      for (PlannedMember member : plan.members()) {
        members.row(
            member.name(),
            Optional.ofNullable(member.zone()).filter(it -> !it.isEmpty()).orElse(UNKNOWN),
            String.valueOf(member.slots()),
            String.valueOf(member.slotsNow()),
            Objects.requireNonNullElse(member.roughSize(), UNKNOWN));
      }
      out().println();
      members.print(out());
    }
    if (!plan.losses().isEmpty()) {
      Table losses = new Table("IF THIS FAILS NOW", "MEMBERS", "SLOTS WITHOUT QUORUM");
      for (LossStatus loss : plan.losses()) {
        losses.row(
            loss.zone() == null ? "machine " + loss.host() : "zone " + loss.zone(),
            String.valueOf(loss.members()),
            loss.withoutQuorum());
      }
      out().println();
      losses.print(out());
    }
  }

  private static String fits(@Nullable Boolean fits) {
    return fits == null ? "whether it fits is unknown" : fits ? "it fits" : "it does not fit";
  }
}
