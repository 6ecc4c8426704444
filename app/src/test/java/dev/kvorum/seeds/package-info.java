/**
 * Random tests that can be replayed: {@code Seeds}, where a test takes its seed from and which
 * shows it in a failure.
 */
@NullMarked
package dev.kvorum.seeds;

import org.jspecify.annotations.NullMarked;
