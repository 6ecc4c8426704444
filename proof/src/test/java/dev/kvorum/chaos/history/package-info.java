/**
 * What clients saw, and whether a correct store could have returned it. Pure.
 *
 * <p>Read {@code Operation}, one request; {@code History}, all of them; {@code HistoryChecker} with
 * {@code KeyChecker}, the rules; {@code Violation}, one broken.
 *
 * <p>Values are unique, so each read names the one write that it saw, and one pass over the
 * operations of a key in the order of time is enough: no search for an order that would explain
 * them. Versions are compared as text, which is what a client of the API can do.
 *
 * <p>What is lost follows from the verifier's {@code Floor}. Its {@code OwnKey} needs no history
 * above that, as its load may last for days: it has one writer per key, and neither deletes nor
 * times to live. {@code SingleWriterTest} compares the two.
 */
@NullMarked
package dev.kvorum.chaos.history;

import org.jspecify.annotations.NullMarked;
