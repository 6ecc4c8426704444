package dev.kvorum.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.replica.VirtualLoop;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several coordinators over a bad network with clocks that disagree; all operations majority. */
class QuorumModelTest {
  private static final int STEPS = 300;
  private static final List<Key> KEYS = List.of(Key.of("a"), Key.of("b"), Key.of("deleted"));
  private static final SlotMap OF_THREE = slots(3);
  private static final SlotMap OF_FIVE = slots(5);

  private static SlotMap slots(int members) {
    return SlotMap.of(
        IntStream.range(0, members)
            .mapToObj(i -> new Member(new MemberId("n" + i), "", MemberState.ACTIVE))
            .toList());
  }

  @Test
  void whatWasAcknowledgedOrReadIsNeverUnseenByLaterMajorityReads() {
    long first = Long.getLong("kvorum.seed", System.nanoTime());
    int superseded = 0;
    for (long seed = first; seed < first + 40; seed++) {
      Run run = new Run(seed);
      run.play();
      superseded += (int) run.registry.counter("kvorum.writes.superseded").count();
    }
    assertThat(superseded).as("second attempts, from seed %d", first).isPositive();
  }

  private static final class Run {
    private final long seed;
    private final Random random;
    private final VirtualLoop loop = new VirtualLoop();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SimNetwork network;
    private final List<SimNode> nodes = new ArrayList<>();
    private final QuorumHistory history;
    private final SlotMap slots;
    private final Quorum quorum;
    private int begun;
    private int answered;
    private int writes;
    private int finished;

    Run(long seed) {
      this.seed = seed;
      random = new Random(seed);
      network = new SimNetwork(loop, random);
      history = new QuorumHistory("seed " + seed);
      int members = random.nextBoolean() ? 3 : 5;
      slots = members == 3 ? OF_THREE : OF_FIVE;
      int from = random.nextInt(2, members + 1);
      quorum = new Quorum(random.nextInt(Quorum.majorityOf(from), from + 1), from);
      Meters meters = new Meters(registry);
      for (int i = 0; i < members; i++) {
        long skew = random.nextLong(-230, 230);
        nodes.add(new SimNode(new MemberId("n" + i), loop, network, slots, skew, meters));
        if (random.nextBoolean()) {
          nodes.getLast().store.answerLater();
        }
      }
    }

    void play() {
      for (int step = 0; step < STEPS; step++) {
        trouble();
        begin(nodes.get(random.nextInt(nodes.size())), KEYS.get(random.nextInt(KEYS.size())));
        loop.advance(Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(300) : 2));
      }
      network.heal();
      loop.advance(Duration.ofSeconds(20));
      assertThat(answered).as("seed %d", seed).isEqualTo(begun);
      assertThat(finished).as("seed %d", seed).isEqualTo(writes);
      assertThat(history.acknowledged).as("seed %d", seed).isPositive();
      assertThat(history.found).as("seed %d", seed).isPositive();
      nodes.forEach(node -> assertThat(node.hints.targets()).as("seed %d", seed).isEmpty());
      history.claims.assertAll();
      KEYS.forEach(this::everyReplicaHasWhatWasAcknowledged);
    }

    private void trouble() {
      switch (random.nextInt(30)) {
        case 0 -> network.cutOff(nodes.get(random.nextInt(nodes.size())).id);
        case 1, 2 -> network.heal();
        case 3 -> network.lose(random.nextDouble(0.3));
        default -> {}
      }
    }

    private void begin(SimNode node, Key key) {
      begun++;
      Version floor = history.floor(key);
      if (random.nextInt(5) < 2) {
        node.coordinator
            .read(key, quorum, bytes -> true)
            .subscribe(outcome -> {
              answered++;
              history.read(key, floor, outcome);
            });
        return;
      }
      writes++;
      node.coordinator
          .write(key, quorum, change(key), () -> finished++)
          .subscribe(outcome -> {
            answered++;
            history.wrote(key, floor, outcome);
          });
    }

    private Change change(Key key) {
      if (key.equals(KEYS.getLast()) && random.nextInt(3) == 0) {
        history.deleting(key);
        return new Change.Delete();
      }
      String value = "value " + begun;
      history.writing(key, value);
      return new Change.Put(value.getBytes(StandardCharsets.UTF_8), 0);
    }

    private void everyReplicaHasWhatWasAcknowledged(Key key) {
      List<MemberId> holders = slots.preferenceList(key).replicas(quorum.from());
      for (SimNode node : nodes) {
        Version held = node.store.get(key).map(Versioned::version).orElse(Version.NONE);
        if (holders.contains(node.id)) {
          assertThat(held)
              .as("seed %d, %s on %s after handoff", seed, key, node.id)
              .isGreaterThanOrEqualTo(history.newestAcknowledged(key));
        } else {
          assertThat(held).as("seed %d, %s on %s", seed, key, node.id).isEqualTo(Version.NONE);
        }
      }
    }
  }
}
