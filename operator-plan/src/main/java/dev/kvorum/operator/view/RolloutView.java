package dev.kvorum.operator.view;

import java.util.Optional;

/**
 * What a StatefulSet records about its last update.
 *
 * @param fallback hash of the spec of the last template that all pods had
 * @param securityDiffers whether connections are secured in another way with the fallback
 * @param failed the update that was rolled back
 */
public record RolloutView(
    Optional<String> fallback, boolean securityDiffers, Optional<FailedUpdate> failed) {
  /** Nothing is recorded. */
  public static final RolloutView NONE = new RolloutView(Optional.empty(), false, Optional.empty());

  /**
   * An update that was rolled back.
   *
   * @param specHash hash of its spec
   * @param why what was wrong with its pod
   */
  public record FailedUpdate(String specHash, String why) {}

  /** Returns whether the update to this spec was rolled back. */
  public boolean hasFailed(String specHash) {
    return failed.filter(it -> it.specHash().equals(specHash)).isPresent();
  }
}
