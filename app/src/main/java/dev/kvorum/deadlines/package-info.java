/**
 * Deadlines of what an event loop has under way, in lists and with few timers: most of it ends long
 * before, so a timer for each would be set for nothing.
 *
 * <p>Read {@link dev.kvorum.deadlines.DeadlineList}, which its owner sweeps, then with timers
 * {@link dev.kvorum.deadlines.DeadlineQueue}, for one timeout, and {@link
 * dev.kvorum.deadlines.DeadlineQueues}, for delays that differ.
 *
 * <p>Imports the JDK only.
 */
@NullMarked
package dev.kvorum.deadlines;

import org.jspecify.annotations.NullMarked;
