package dev.kvorum.operator.view;

import java.util.Optional;

/**
 * A pod as far as its readiness gate is concerned.
 *
 * @param reachable the state of the gate; empty if it was never set
 * @param ready whether it gets requests of clients
 * @param containersReady whether its machine reports that its containers are ready
 */
public record GatedPod(
    String name, Optional<Boolean> reachable, boolean ready, boolean containersReady) {}
