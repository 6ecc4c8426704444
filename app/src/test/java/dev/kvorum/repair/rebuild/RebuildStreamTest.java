package dev.kvorum.repair.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.background.StreamReceiver;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.placement.Layout;
import dev.kvorum.repair.RepairHarness;
import dev.kvorum.repair.RepairMember;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Streams that are stopped leave no trace in the store that follows. */
class RebuildStreamTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RepairHarness harness = new RepairHarness(5);

  /** Runs an action before it stores a record of a stream. */
  private static final class ObservedStore extends MemoryStore {
    private Runnable onStreamed = () -> {};

    @Override
    public void applyStreamed(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
      onStreamed.run();
      super.applyStreamed(mutation, loop, waiter);
    }
  }

  @Test
  void nothingMoreOfItsPageIsStoredOnceItIsStopped() {
    MemberId source = harness.members.get(1);
    ObservedStore store = new ObservedStore();
    harness.stores.put(harness.members.getFirst(), store);
    harness.start();
    for (int i = 0; i < 50; i++) {
      harness.store(source).put(Key.of("key " + i), harness.live(SECOND, 5));
    }
    RepairMember site = harness.site(0);
    List<Boolean> pauses = new ArrayList<>();
    RebuildStream stream =
        new RebuildStream(
            site.context,
            harness.settings,
            new RepairRequest.AskStatus(site.id, 1),
            new StreamReceiver(site.context, stamp -> {}),
            source,
            new RebuildStream.Listener() {
              @Override
              public void onPaused(RebuildStream paused, boolean isComplete) {
                pauses.add(isComplete);
              }

              @Override
              public void onMissedPurges(MemberId of) {}
            });
    store.onStreamed = stream::stop;
    stream.advance();
    harness.pass(SECOND);
    assertThat(store.keys()).as("seed %d", harness.seed).hasSize(1);
    assertThat(pauses).isEmpty();
  }

  @Test
  void oneThatIsNotNeededAnyMoreDoesNotCountForTheNextStore() {
    harness.settings = RepairHarness.settings(100_000);
    // The last member is in the zone of the lost one, so that no slot needs it.
    String zones = "abcba";
    Layout layout =
        Layout.of(
            Topology.stable(
                "bench",
                1,
                IntStream.range(0, 5)
                    .mapToObj(i ->
                        new Member(
                            harness.members.get(i), zones.substring(i, i + 1), MemberState.ACTIVE))
                    .toList()));
    harness.members.forEach(member -> harness.start(member, layout));
    harness.pass(SECOND);
    MemberId lost = harness.members.getFirst();
    for (int i = 0; i < 20_000; i++) {
      harness
          .store(harness.members.getLast())
          .put(Key.of("of a single copy " + i), harness.live(MINUTE, 1));
    }
    harness.kill(lost);
    harness.loseDisk(lost);
    RepairMember again = harness.start(lost, layout);
    for (int second = 0; second < 60 && !again.votesOnAll(); second++) {
      harness.pass(SECOND);
    }
    assertThat(again.votesOnAll()).as("seed %d", harness.seed).isTrue();
    // The stream from the last member is far from its end.
    harness.network.cutOff(lost);
    again.repair.onStoreLost();
    harness.store(lost).reset();
    again.repair.onStoreReplaced();
    harness.pass(MINUTE);
    assertThat(again.repair.report().slotsBack()).as("seed %d", harness.seed).isZero();
  }
}
