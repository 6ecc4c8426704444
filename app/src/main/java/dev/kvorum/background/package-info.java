/**
 * What work behind the requests stands on, be it repair or a change of the members.
 *
 * <p>Read {@link dev.kvorum.background.Ground}, then {@link dev.kvorum.background.Pace}, which
 * keeps it from slowing clients down, {@link dev.kvorum.background.Patience}, which keeps it from
 * believing old answers, and {@link dev.kvorum.background.Adoption}, by which records come in.
 *
 * <p>Imports {@code data}, {@code topology}, {@code placement}, {@code replica}, {@code storage}
 * and {@code metrics}.
 */
@NullMarked
package dev.kvorum.background;

import org.jspecify.annotations.NullMarked;
