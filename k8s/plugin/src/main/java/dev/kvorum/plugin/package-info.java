/**
 * The plugin {@code kubectl kvorum}: states of members, tasks, topologies and keys of clusters on
 * Kubernetes, with the rights of the user of kubectl.
 */
@NullMarked
package dev.kvorum.plugin;

import org.jspecify.annotations.NullMarked;
