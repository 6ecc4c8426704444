/**
 * A client that checks a cluster: it writes and reads at a steady rate, and reads back every key it
 * wrote at the end. The node's image contains its jar, so {@code helm test} and the scenarios run
 * it from there.
 *
 * <p>Read {@link dev.kvorum.verifier.Verifier} (the program), {@code Options}, {@code Client},
 * {@code OwnKey} (what the next read of a key may return) with {@code Floor}, {@code Api} and
 * {@code Tally}.
 *
 * <p>{@code Floor} and {@code Rejections} are also the rules by which chaos judges a history.
 *
 * <p>Imports the JDK only.
 */
@NullMarked
package dev.kvorum.verifier;

import org.jspecify.annotations.NullMarked;
