package dev.kvorum.storage.replace;

import dev.kvorum.storage.engine.PlatformTaskThread;
import dev.kvorum.storage.engine.TaskThread;

/** The threads and the clock of a replaceable store: virtual time in simulations. */
interface ReplacementThreads {
  /** Platform threads. */
  ReplacementThreads PLATFORM =
      new ReplacementThreads() {
        @Override
        public TaskThread start(String name) {
          return new PlatformTaskThread(name);
        }

        @Override
        public long nanoTime() {
          return System.nanoTime();
        }
      };

  TaskThread start(String name);

  /** A monotone clock, as {@link System#nanoTime}. */
  long nanoTime();
}
