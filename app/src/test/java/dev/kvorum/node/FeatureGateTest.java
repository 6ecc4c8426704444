package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RecordKind;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.ActiveFeatures;
import dev.kvorum.topology.Feature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FeatureGateTest {
  private final Deque<Runnable> background = new ArrayDeque<>();
  private final Deque<Runnable> loop = new ArrayDeque<>();
  private final List<WriteResult> results = new ArrayList<>();
  private boolean broken;
  private final ActiveFeatures features =
      new ActiveFeatures(
          Set.of(),
          all -> {
            if (broken) {
              throw new UncheckedIOException(new IOException("disk full"));
            }
          });
  private final FeatureGate gate = new FeatureGate(new MemoryStore(), features, background::add);

  private void apply(RecordKind kind) {
    Versioned record = Versioned.live(new Version(1, 2), kind, Versioned.NEVER, 3, new byte[] {0});
    gate.apply(new Mutation(Key.of(kind.name()), record), loop::add, results::add);
  }

  private static void run(Deque<Runnable> tasks) {
    while (!tasks.isEmpty()) {
      tasks.removeFirst().run();
    }
  }

  @Test
  void aPlainRecordIsStoredAtOnce() {
    apply(RecordKind.VALUE);
    run(loop);
    assertThat(results).containsExactly(WriteResult.Stored.STORED);
    assertThat(features.get()).isEmpty();
  }

  @Test
  void theFirstTypedRecordActivatesTheFeatureBeforeItIsStored() {
    apply(RecordKind.TYPED_VALUE);
    run(loop);
    assertThat(results).isEmpty();
    run(background);
    assertThat(features.contains(Feature.CONTENT_TYPE)).isTrue();
    run(loop);
    assertThat(results).containsExactly(WriteResult.Stored.STORED);
    apply(RecordKind.TYPED_VALUE);
    assertThat(background).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Path.class)
  void eachWayIntoTheStoreActivatesTheFeature(Path path) {
    Versioned record =
        Versioned.live(
            new Version(1, 2), RecordKind.TYPED_VALUE, Versioned.NEVER, 3, new byte[] {0});
    Mutation mutation = new Mutation(Key.of("k"), record);
    switch (path) {
      case WRITE -> gate.apply(mutation, loop::add, results::add);
      case STREAM -> gate.applyStreamed(mutation, loop::add, results::add);
      case RESTORE -> gate.restore(mutation, loop::add, results::add);
    }
    assertThat(results).isEmpty();
    run(background);
    run(loop);
    assertThat(results).hasSize(1);
    assertThat(features.contains(Feature.CONTENT_TYPE)).isTrue();
  }

  enum Path {
    WRITE,
    STREAM,
    RESTORE
  }

  @Test
  void nothingIsStoredIfTheFeatureCannotBe() {
    broken = true;
    apply(RecordKind.TYPED_VALUE);
    run(background);
    run(loop);
    assertThat(results).containsExactly(new WriteResult.Rejected(RejectReason.STORAGE_FAILED));
  }
}
