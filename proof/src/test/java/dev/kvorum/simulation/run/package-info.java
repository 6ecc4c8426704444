/**
 * One run: what its seed decides, what happens in it, and what must never happen.
 *
 * <p>Read {@code Profile} and {@code Bias}, what the seed decides; {@code Invariant}, what must
 * never happen; {@code Invariants} with {@code KeyHistory}, which check it; {@code Trace}.
 */
@NullMarked
package dev.kvorum.simulation.run;

import org.jspecify.annotations.NullMarked;
