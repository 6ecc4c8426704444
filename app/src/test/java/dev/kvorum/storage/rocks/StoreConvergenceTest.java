package dev.kvorum.storage.rocks;

import static dev.kvorum.storage.rocks.StoreFixture.applying;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.RecordStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

class StoreConvergenceTest {
  private final long seed = Seeds.seed();
  private final Random random = new Random(seed);
  private @TempDir Path directory;

  @RepeatedTest(5)
  void keepsTheNewestWhateverTheOrderAndHoweverOften() {
    List<Mutation> mutations = randomMutations();
    Map<Key, Versioned> newest = new HashMap<>();
    for (Mutation mutation : mutations) {
      newest.merge(
          mutation.key(),
          mutation.record(),
          (a, b) -> b.version().isNewerThan(a.version()) ? b : a);
    }
    for (int replica = 0; replica < 2; replica++) {
      List<Mutation> order = new ArrayList<>(mutations);
      for (int i = 0; i < 200; i++) {
        order.add(mutations.get(random.nextInt(mutations.size())));
      }
      Collections.shuffle(order, random);
      try (RecordStore store = StoreFixture.open(directory.resolve("replica-" + replica))) {
        List<CompletableFuture<WriteResult>> answers =
            order.stream().map(mutation -> applying(store, mutation)).toList();
        for (int i = 0; i < order.size(); i++) {
          checkAnswer(await(answers.get(i)), order.get(i));
        }
        newest.forEach((key, record) ->
            assertThat(read(store, key.toString()))
                .as("seed %d", seed)
                .isEqualTo(new ReadResult.Found(record)));
      }
    }
  }

  private void checkAnswer(WriteResult answer, Mutation mutation) {
    if (answer instanceof WriteResult.Superseded superseded) {
      assertThat(superseded.by().isNewerThan(mutation.record().version()))
          .as("seed %d", seed)
          .isTrue();
    } else {
      assertThat(answer).as("seed %d", seed).isEqualTo(StoreFixture.STORED);
    }
  }

  private List<Mutation> randomMutations() {
    Map<String, Mutation> byKeyAndVersion = new HashMap<>();
    for (int i = 0; i < 600; i++) {
      Key key = Key.of("key-" + random.nextInt(20));
      Version version = new Version(random.nextLong(40), random.nextInt(3) - 1);
      byte[] value = new byte[random.nextInt(50)];
      random.nextBytes(value);
      Versioned record =
          random.nextInt(3) == 0
              ? Versioned.tombstone(version, 3)
              : Versioned.live(version, random.nextLong(5), 2, value);
      byKeyAndVersion.putIfAbsent(key + "@" + version, new Mutation(key, record));
    }
    return List.copyOf(byKeyAndVersion.values());
  }
}
