package dev.kvorum.repair.state;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.replica.RepairReply.Status;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Asks several peers for their repair status at once. Confined to one event loop. */
public final class StatusRound {
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  private final Map<MemberId, Status> statuses = new HashMap<>();
  private final Consumer<Map<MemberId, Status>> done;
  private int open = 1;

  private StatusRound(Consumer<Map<MemberId, Status>> done) {
    this.done = done;
  }

  /**
   * Asks the peers.
   *
   * @param done called once, with the replies that arrived within 500 ms
   */
  public static void ask(
      BackgroundContext context,
      List<MemberId> peers,
      RepairRequest.AskStatus question,
      Consumer<Map<MemberId, Status>> done) {
    assert context.isOnLoop();
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
