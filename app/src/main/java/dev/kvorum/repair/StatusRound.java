package dev.kvorum.repair;

import dev.kvorum.background.Ground;
import dev.kvorum.background.Patience;
import dev.kvorum.replica.SyncReply.Status;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One question to all other members: where they stand. */
final class StatusRound {
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  private final Map<MemberId, Status> heard = new HashMap<>();
  private final Consumer<Map<MemberId, Status>> done;
  private int open = 1;

  private StatusRound(Consumer<Map<MemberId, Status>> done) {
    this.done = done;
  }

  /** Asks all; {@code done} is given those that answered, once all have or time is up. */
  static void ask(
      Ground ground,
      List<MemberId> peers,
      SyncRequest.AskStatus question,
      Consumer<Map<MemberId, Status>> done) {
    StatusRound round = new StatusRound(done);
    for (MemberId peer : peers) {
      round.open++;
      Patience.ask(
          ground,
          peer,
          question,
          TIMEOUT,
          (reply, patience) -> {
            if (reply instanceof Status status) {
              round.heard.put(peer, status);
            }
            round.oneLess();
          });
    }
    round.oneLess();
  }

  private void oneLess() {
    open--;
    if (open == 0) {
      done.accept(heard);
    }
  }
}
