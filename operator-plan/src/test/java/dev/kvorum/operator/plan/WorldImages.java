package dev.kvorum.operator.plan;

import dev.kvorum.operator.view.ImageCheck;
import dev.kvorum.operator.view.Release;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The images of a world: which cannot run, what they answer, and which were asked. */
final class WorldImages {
  final Set<String> bad = new HashSet<>();
  final Set<String> asked = new HashSet<>();
  final Map<String, ImageCheck> answers = new HashMap<>();

  /** What the operator knows of the image that the template should have. */
  ImageCheck check(World world) {
    boolean hasRun =
        world.nodes.values().stream()
            .anyMatch(node -> node.there && node.started && node.image.equals(world.image));
    boolean sameTemplate =
        world.setImage.equals(world.image)
            || world.setHash.equals(world.specHash)
            || world.rollout.view().hasFailed(world.specHash);
    if (world.topology.isEmpty() || hasRun || sameTemplate) {
      return new ImageCheck.NotNeeded();
    }
    return asked.contains(world.image) ? answer(world.image) : new ImageCheck.Missing();
  }

  private ImageCheck answer(String of) {
    return answers.getOrDefault(of, new ImageCheck.Done(new Release("1.0.0", "3..4", Set.of())));
  }

  /** The release in an image. */
  Release release(String of) {
    return answer(of) instanceof ImageCheck.Done done ? done.release() : Release.UNKNOWN;
  }
}
