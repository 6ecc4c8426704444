package dev.kvorum.metrics;

import io.micrometer.core.instrument.MeterRegistry;

/** Every meter of the node with its tags and units. */
public final class Meters {
  private final MeterRegistry registry;

  public Meters(MeterRegistry registry) {
    this.registry = registry;
  }

  MeterRegistry registry() {
    return registry;
  }
}
