/**
 * The desired objects of a cluster, one file per kind; pure.
 *
 * <p>Reading order: {@link ClusterObjects} (all of them), {@link PodTemplates} with {@link
 * NodeEnvironment}, {@link MemoryBudget} and {@link BackupStore}, {@link StatefulSets} with {@link
 * Fallback}; {@link SpecHash} detects outdated pods, {@link Labels} has every label and annotation.
 *
 * <p>Imports api, Fabric8's model and serialization, and Jackson's annotations.
 */
@NullMarked
package dev.kvorum.operator.resources;

import org.jspecify.annotations.NullMarked;
