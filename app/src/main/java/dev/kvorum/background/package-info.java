/**
 * Support for the background work of repair and rebalance.
 *
 * <p>Read {@link dev.kvorum.background.BackgroundContext}, the dependencies; {@link
 * dev.kvorum.background.BackgroundRateLimiter}, which yields to client requests; {@link
 * dev.kvorum.background.ReplyDeadline}, which rejects late replies; {@link
 * dev.kvorum.background.ScanServer}, which sends records to a peer; {@link
 * dev.kvorum.background.StreamReceiver}, which stores them; and {@link
 * dev.kvorum.background.MemberRecords}, what rebalance needs of repair.
 *
 * <p>Imports {@code data}, {@code metrics}, {@code placement}, {@code replica}, {@code rpc}, {@code
 * storage} and {@code topology}.
 */
@NullMarked
package dev.kvorum.background;

import org.jspecify.annotations.NullMarked;
