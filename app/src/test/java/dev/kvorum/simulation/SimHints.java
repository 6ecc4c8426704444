package dev.kvorum.simulation;

import dev.kvorum.data.Mutation;
import dev.kvorum.storage.HintStore;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The hints of one process, on its disk with the records. */
final class SimHints implements HintStore {
  private final SimDisk disk;
  private final SimStore store;
  private final long bytesMax;
  private final Map<Effect.HintId, Hint> booked = new TreeMap<>();

  SimHints(SimDisk disk, SimStore store, long bytesMax) {
    this.disk = disk;
    this.store = store;
    this.bytesMax = bytesMax;
    booked.putAll(disk.written().hints);
  }

  /** The disk has been emptied. */
  void startOver() {
    booked.clear();
  }

  @Override
  public boolean keep(MemberId target, Mutation mutation) {
    Hint hint = new Hint(target, mutation);
    Effect.HintId id = Effect.HintId.of(hint);
    if (bytes() + mutation.heapBytes() > bytesMax) {
      return false;
    }
    booked.put(id, hint);
    SimStore.Op op =
        batch -> {
          batch.effects.add(new Effect.KeepHint(hint));
          batch.onFailure(() -> booked.remove(id));
        };
    if (!store.offer(op)) {
      booked.remove(id);
      return false;
    }
    return true;
  }

  @Override
  public List<Hint> page(MemberId target, @Nullable Hint after, int countMax) {
    return disk.written().hints.values().stream()
        .filter(hint -> hint.target().equals(target))
        .filter(hint -> after == null || isBehind(hint, after))
        .limit(countMax)
        .toList();
  }

  private static boolean isBehind(Hint hint, Hint after) {
    return Effect.HintId.of(hint).compareTo(Effect.HintId.of(after)) > 0;
  }

  @Override
  public void forget(List<Hint> hints) {
    if (hints.isEmpty()) {
      return;
    }
    List<Effect.HintId> gone = hints.stream().map(Effect.HintId::of).toList();
    store.offer(batch -> {
      gone.forEach(id -> batch.effects.add(new Effect.DropHint(id)));
      batch.onSuccess(() -> gone.forEach(booked::remove));
    });
  }

  @Override
  public Set<MemberId> targets() {
    return booked.values().stream()
        .map(Hint::target)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public long bytes() {
    return booked.values().stream().mapToLong(hint -> hint.mutation().heapBytes()).sum();
  }

  @Override
  public long count(MemberId target) {
    return booked.values().stream().filter(hint -> hint.target().equals(target)).count();
  }
}
