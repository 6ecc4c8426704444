/**
 * What clients do to a simulated cluster, at random and by script.
 *
 * <p>Read {@code SimClient}, one session; {@code MemberScan} and {@code ClusterRange} with {@code
 * RangeReader}, its scans and ranges; {@code Stage} and {@code Script}, requests and steps for
 * scenes that need a certain order.
 */
@NullMarked
package dev.kvorum.simulation.clients;

import org.jspecify.annotations.NullMarked;
