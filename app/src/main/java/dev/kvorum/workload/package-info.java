/**
 * A client that knows what it was promised: writes and reads at a steady rate, and afterwards reads
 * back every key that it wrote. It is in the node's jar so that wherever the image runs, `helm
 * test` and the scenarios can hold a cluster to its word.
 *
 * <p>In reading order: {@link dev.kvorum.workload.Workload} (the program), {@code Options}, {@code
 * Client} (one of many), {@code OwnKey} (what its next read may show), {@code Api} (HTTP), {@code
 * Tally} and {@code Latencies} (figures).
 *
 * <p>Imports the JDK only, and nothing of the node.
 */
@NullMarked
package dev.kvorum.workload;

import org.jspecify.annotations.NullMarked;
