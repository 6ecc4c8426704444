package dev.kvorum.cli;

import java.io.IOException;

/** Connects a verb with a cluster. */
public interface Connector {
  /** What is done while connected. */
  @FunctionalInterface
  interface Verb {
    /** Returns the exit code. */
    int run(ApiClient client) throws IOException;
  }

  /** Runs a verb and returns its exit code. */
  int connected(Verb verb) throws IOException;
}
