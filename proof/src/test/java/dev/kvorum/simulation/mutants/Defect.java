package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.cluster.Breakage;
import dev.kvorum.simulation.run.Profile;
import java.util.List;

/**
 * A deliberate defect: a component that is broken, production methods with other bodies, or both.
 */
interface Defect extends Breakage {
  /** Other bodies for methods of the production code. */
  default List<Patch> patches() {
    return List.of();
  }

  /** Whether a run of this kind can show it at all. */
  default boolean canShowIn(Profile profile) {
    return true;
  }
}
