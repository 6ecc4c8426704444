/**
 * Users of clusters: KvorumUsers and KvorumRoles, and the file for nodes that they become
 * (docs/security.md).
 *
 * <p>Reading order: {@link UserSecrets} (the Secrets), {@link CompiledUsers} (the file), {@link
 * TokenSecrets}, {@link OperatorUser}, {@link UserReport} (what users are told).
 *
 * <p>Imports api, resources, Fabric8's model and Jackson.
 */
@NullMarked
package dev.kvorum.operator.users;

import org.jspecify.annotations.NullMarked;
