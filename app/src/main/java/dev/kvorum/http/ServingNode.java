package dev.kvorum.http;

import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.topology.Feature;

/** The node that serves the public API. Safe for use by many threads. */
public interface ServingNode {
  /** The coordinator of the calling event loop. */
  Coordinator coordinator();

  /** How many members may keep a copy now. */
  int fromMax();

  /** Whether all members have a feature, so that requests may use it. */
  boolean isActive(Feature feature);

  /** Free space of this node's disk, in bytes. */
  long diskFreeBytes();
}
