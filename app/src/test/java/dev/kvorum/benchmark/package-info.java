/** The yardstick of the benchmarks: what the HTTP server can do when nothing is stored. */
@NullMarked
package dev.kvorum.benchmark;

import org.jspecify.annotations.NullMarked;
