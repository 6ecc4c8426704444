/**
 * Observation: a snapshot of a cluster and everything that belongs to it, read from the Kubernetes
 * API and from the nodes.
 *
 * <p>Reading order: {@link Snapshot}, {@link Observer}, which reads everything from the API itself
 * (a cache could be behind the operator's own writes), {@link Reads}, a reader per kind of object,
 * then {@link ReportSource}.
 *
 * <p>Imports api, job, view, certificates, users, resources, Fabric8, Jackson and the JDK's HTTP
 * client.
 */
@NullMarked
package dev.kvorum.operator.observe;

import org.jspecify.annotations.NullMarked;
