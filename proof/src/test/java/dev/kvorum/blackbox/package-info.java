/**
 * Kvorum as its users see it: nodes as processes, HTTP from outside, signals and kills.
 *
 * <p>Read {@code NodeProcess}, one node, and {@code Place}, where it runs; {@code Cluster}, some of
 * them; {@code Client} and {@code RawConnection}, the two clients for one. {@code SharedCluster} is
 * for tests that leave its nodes alone.
 */
@NullMarked
package dev.kvorum.blackbox;

import org.jspecify.annotations.NullMarked;
