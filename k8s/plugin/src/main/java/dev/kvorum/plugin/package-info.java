/**
 * The plugin {@code kubectl kvorum}: states of members, tasks, topologies and keys of clusters on
 * Kubernetes, with the rights of the user of kubectl.
 *
 * <p>Read {@link dev.kvorum.plugin.KubectlKvorum}, then {@code Target}, which finds the cluster,
 * and one class for each command.
 *
 * <p>Imports {@code cli}, {@code operator.api}, Fabric8, Jackson and picocli.
 */
@NullMarked
package dev.kvorum.plugin;

import org.jspecify.annotations.NullMarked;
