package dev.kvorum.repair.salvage;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.data.KeyRange;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects from the peers whether they still have every record of some key ranges that they ever
 * acknowledged. Ranges of a corrupted store that could be read completely count. Confined to one
 * event loop.
 */
final class RangeCertainty {
  /** Ranges in one request: two keys of 1 KiB for each have to fit into a frame. */
  private static final int RANGES_MAX = 64;

  private final BackgroundContext context;
  private final Duration timeout;
  private final List<KeyRange> ranges;
  private final Map<KeyRange, Set<MemberId>> certain = new HashMap<>();
  private final Map<KeyRange, Set<MemberId>> replied = new HashMap<>();
  private int open;

  /**
   * No replies yet.
   *
   * @param timeout of each reply
   */
  RangeCertainty(BackgroundContext context, Duration timeout, List<KeyRange> ranges) {
    this.context = context;
    this.timeout = timeout;
    this.ranges = ranges;
  }

  /** Asks every peer about all ranges; {@code done} runs when all have replied or timed out. */
  void ask(Runnable done) {
    assert context.isOnLoop();
    open = 1;
    for (MemberId peer : context.peers().get()) {
      open++;
      ask(peer, 0, done);
    }
    oneLess(done);
  }

  private void ask(MemberId peer, int from, Runnable done) {
    if (from >= ranges.size()) {
      oneLess(done);
      return;
    }
    List<KeyRange> some = ranges.subList(from, Math.min(ranges.size(), from + RANGES_MAX));
    ReplyDeadline.ask(
        context,
        peer,
        new RepairRequest.AskCertain(some),
        timeout,
        (reply, replyDeadline) -> {
          if (reply instanceof RepairReply.Certain certainty
              && certainty.ranges().size() == some.size()) {
            for (int i = 0; i < some.size(); i++) {
              note(replied, some.get(i), peer);
              if (certainty.ranges().get(i)) {
                note(certain, some.get(i), peer);
              }
            }
            ask(peer, from + RANGES_MAX, done);
          } else {
            oneLess(done);
          }
        });
  }

  private static void note(Map<KeyRange, Set<MemberId>> into, KeyRange range, MemberId peer) {
    into.computeIfAbsent(range, none -> new HashSet<>()).add(peer);
  }

  private void oneLess(Runnable done) {
    open--;
    if (open == 0) {
      done.run();
    }
  }

  /** Number of these members that have all records of a range. */
  int certain(KeyRange range, List<MemberId> members) {
    return count(certain, range, members);
  }

  /** Number of these members that have replied about a range. */
  int replied(KeyRange range, List<MemberId> members) {
    return count(replied, range, members);
  }

  private static int count(
      Map<KeyRange, Set<MemberId>> of, KeyRange range, List<MemberId> members) {
    Set<MemberId> all = of.getOrDefault(range, Set.of());
    return (int) members.stream().filter(all::contains).count();
  }
}
