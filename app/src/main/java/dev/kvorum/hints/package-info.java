/**
 * Hinted handoff: mutations kept for replicas that were unreachable, and their delivery.
 *
 * <p>Read {@link dev.kvorum.hints.HintedHandoff}, which delivers hints to members that are
 * reachable again, and {@link dev.kvorum.hints.HintPull}, by which a starting node fetches the
 * hints that its peers keep for it.
 *
 * <p>Imports {@code background}, {@code data}, {@code metrics}, {@code placement}, {@code replica},
 * {@code settings}, {@code storage}, {@code topology} and, in its settings, Spring.
 */
@NullMarked
package dev.kvorum.hints;

import org.jspecify.annotations.NullMarked;
