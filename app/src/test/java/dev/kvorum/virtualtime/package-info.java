/** Virtual time for tests: {@code VirtualLoop}, the event loops of all simulated processes. */
@NullMarked
package dev.kvorum.virtualtime;

import org.jspecify.annotations.NullMarked;
