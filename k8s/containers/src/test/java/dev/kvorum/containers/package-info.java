/**
 * Tests of the images as users run them: containers of {@code kvorum:<version>} on a network of
 * their own, under the constraints of the operator's pods. They are skipped without Docker.
 *
 * <p>Read {@link dev.kvorum.containers.NodeContainer} (the constraints), {@code ContainerCluster}
 * and {@code CheckedWrites} (the verifier, as a container beside them).
 */
@NullMarked
package dev.kvorum.containers;

import org.jspecify.annotations.NullMarked;
