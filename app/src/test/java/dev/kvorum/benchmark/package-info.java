/**
 * The yardsticks of the benchmarks: what the HTTP server can do when nothing is stored, with and
 * without WebFlux, and what the hop between two nodes costs by itself.
 */
@NullMarked
package dev.kvorum.benchmark;

import org.jspecify.annotations.NullMarked;
