package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.view.ImageCheck;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.Release;
import java.util.List;
import java.util.Optional;

/**
 * Checks a new image before any pod gets it: it must run, and its release must have a version of
 * the protocol in common with each member and all active features. Until then the pods keep their
 * template, and what needs no other template goes on. An image that a pod still runs is not asked:
 * the way back is open halfway.
 */
final class ImagePlanner {
  private ImagePlanner() {}

  /** Asks a new image for its release. */
  static Optional<Step> begin(Observed observed) {
    return isToBeAsked(observed)
        ? Optional.of(new Step.CheckImage(observed.image().wanted()))
        : Optional.empty();
  }

  /** Returns whether the template may get the wanted image. */
  static boolean admits(Observed observed) {
    return switch (observed.image().check()) {
      case ImageCheck.NotNeeded _ -> true;
      case ImageCheck.Missing _, ImageCheck.Running _, ImageCheck.Failed _ -> false;
      case ImageCheck.Done done -> objection(observed, done.release()).isEmpty();
    };
  }

  /** Returns whether an image is to be asked, or was asked and has not answered. */
  static boolean isAsking(Observed observed) {
    return isToBeAsked(observed) || observed.image().check() instanceof ImageCheck.Running;
  }

  /** No template is made from a spec that is rejected, so its image is not asked. */
  private static boolean isToBeAsked(Observed observed) {
    return observed.image().check() instanceof ImageCheck.Missing
        && observed.specHash().isPresent();
  }

  /** Waits for the answer, once there is nothing else to do. */
  static Optional<Step> pending(Observed observed) {
    return observed.image().check() instanceof ImageCheck.Running
        ? Optional.of(
            new Step.Wait(
                ClusterPhase.UPDATING,
                Reason.CHECKING_IMAGE,
                "asks image " + observed.image().wanted() + " for its release"))
        : Optional.empty();
  }

  /** Returns why the wanted image is not rolled out. */
  static Optional<Notice> rejection(Observed observed) {
    return switch (observed.image().check()) {
      case ImageCheck.NotNeeded _, ImageCheck.Missing _, ImageCheck.Running _ -> Optional.empty();
      case ImageCheck.Failed failed ->
          Health.notice(
              Reason.IMAGE_UNUSABLE,
              "the update to image "
                  + observed.image().wanted()
                  + " and all other changes of the pods are not begun: "
                  + failed.why()
                  + ". Change the spec or revert it");
      case ImageCheck.Done done -> objection(observed, done.release());
    };
  }

  private static Optional<Notice> objection(Observed observed, Release next) {
    return lacking(observed, next).or(() -> tooFar(observed, next));
  }

  /** A node does not start without a feature that was active on it. */
  private static Optional<Notice> lacking(Observed observed, Release next) {
    List<String> lacks =
        FeaturePlanner.active(observed).stream()
            .filter(feature -> !next.features().contains(feature))
            .toList();
    return lacks.isEmpty() || !next.hasProtocols()
        ? Optional.empty()
        : Health.notice(
            Reason.FEATURE_MISSING,
            "the update and all other changes of the pods are not begun: image "
                + observed.image().wanted()
                + " lacks what is active ("
                + String.join(", ", lacks)
                + "). Use a release that has it");
  }

  private static Optional<Notice> tooFar(Observed observed, Release next) {
    return Health.first(
        observed.members(),
        member -> {
          Release now = observed.release(member);
          return now.worksWith(next)
              ? Optional.empty()
              : Health.notice(
                  Reason.UPGRADE_TOO_FAR,
                  "the update and all other changes of the pods are not begun: image "
                      + observed.image().wanted()
                      + " has "
                      + next
                      + ", and "
                      + member.name()
                      + " runs "
                      + now
                      + ". Go through a release in between");
        });
  }
}
