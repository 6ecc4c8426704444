package dev.kvorum.simulation.mutants;

import java.util.List;

/**
 * A rule that a unit test holds, and what breaks it.
 *
 * @param test class of the test
 * @param method its method that fails
 */
record BrokenRule(String test, String method, List<Patch> patches) {
  BrokenRule {
    patches = List.copyOf(patches);
  }
}
