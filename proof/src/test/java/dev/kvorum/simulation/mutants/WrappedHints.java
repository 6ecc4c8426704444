package dev.kvorum.simulation.mutants;

import dev.kvorum.storage.ForwardingHints;
import dev.kvorum.storage.HintStore;

/** Hints around others, for those that do something differently. */
class WrappedHints implements ForwardingHints {
  final HintStore inner;

  WrappedHints(HintStore inner) {
    this.inner = inner;
  }

  @Override
  public final HintStore hints() {
    return inner;
  }
}
