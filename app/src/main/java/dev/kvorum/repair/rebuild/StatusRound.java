package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.ReplyDeadline;
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

  private final Map<MemberId, Status> statuses = new HashMap<>();
  private final Consumer<Map<MemberId, Status>> done;
  private int open = 1;

  private StatusRound(Consumer<Map<MemberId, Status>> done) {
    this.done = done;
  }

  /** Asks all; {@code done} is given those that answered, once all have or time is up. */
  static void ask(
      BackgroundContext context,
      List<MemberId> peers,
      SyncRequest.AskStatus question,
      Consumer<Map<MemberId, Status>> done) {
    StatusRound round = new StatusRound(done);
    for (MemberId peer : peers) {
      round.open++;
      ReplyDeadline.ask(
          context,
          peer,
          question,
          TIMEOUT,
          (reply, replyDeadline) -> {
            if (reply instanceof Status status) {
              round.statuses.put(peer, status);
            }
            round.oneLess();
          });
    }
    round.oneLess();
  }

  private void oneLess() {
    open--;
    if (open == 0) {
      done.accept(statuses);
    }
  }
}
