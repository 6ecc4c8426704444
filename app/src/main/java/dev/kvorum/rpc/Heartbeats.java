package dev.kvorum.rpc;

import dev.kvorum.rpc.RemoteClockMonitor.Asked;
import java.util.Optional;

/** The heartbeats of a connection. One at a time asks for the peer's clock. */
final class Heartbeats {
  private int last;
  // Call number of the heartbeat that requests the time; 0 when none is open.
  private int question;
  private Asked asked = new Asked(0, 0);
  private long rejectionsBefore;

  /**
   * Returns the call number of the next one.
   *
   * @param now what the own clocks read
   * @param rejections how often this node has been rejected
   */
  int next(Asked now, long rejections) {
    last++;
    if (question == 0) {
      question = last;
      asked = now;
      rejectionsBefore = rejections;
    }
    return last;
  }

  /** Returns when this node asked for the time, if the reply has that call number. */
  Optional<Asked> replied(int call) {
    if (call != question) {
      return Optional.empty();
    }
    question = 0;
    return Optional.of(asked);
  }

  /** How often this node had been rejected when it asked last. */
  long rejectionsBefore() {
    return rejectionsBefore;
  }
}
