/**
 * What clients saw, and whether a correct store could have returned it. Pure.
 *
 * <p>Read {@code Operation}, one request; {@code History}, all of them; {@code HistoryChecker} with
 * {@code KeyChecker} and {@code Floor}, the rules; {@code Violation}, one broken.
 *
 * <p>Values are unique, so each read names the one write that it saw, and one pass over the
 * operations of a key in the order of time is enough: no search for an order that would explain
 * them. Versions are compared as text, which is what a client of the API can do.
 *
 * <p>The verifier's {@code OwnKey} is no part of it: with one writer per key and neither deletes
 * nor times to live it needs no history, and its load may last for days.
 */
@NullMarked
package dev.kvorum.chaos.history;

import org.jspecify.annotations.NullMarked;
