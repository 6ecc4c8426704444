package dev.kvorum.replica;

import dev.kvorum.data.Mutation;
import dev.kvorum.storage.HintStore;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Hints in a list. */
public final class MemoryHints implements HintStore {
  private final List<Hint> hints = new ArrayList<>();
  private boolean full;

  /** From now on nothing is kept. */
  public void fillUp() {
    full = true;
  }

  /** The hints for a member, oldest version first. */
  public List<Mutation> of(MemberId target) {
    return sorted(target).stream().map(Hint::mutation).toList();
  }

  private List<Hint> sorted(MemberId target) {
    return hints.stream()
        .filter(hint -> hint.target().equals(target))
        .sorted(Comparator.comparing(hint -> hint.mutation().record().version()))
        .toList();
  }

  @Override
  public boolean keep(MemberId target, Mutation mutation) {
    return !full && hints.add(new Hint(target, mutation));
  }

  @Override
  public List<Hint> page(MemberId target, @Nullable Hint after, int countMax) {
    List<Hint> all = sorted(target);
    return all.stream().skip(after == null ? 0 : all.indexOf(after) + 1).limit(countMax).toList();
  }

  @Override
  public void forget(List<Hint> delivered) {
    hints.removeAll(delivered);
  }

  @Override
  public Set<MemberId> targets() {
    return hints.stream().map(Hint::target).collect(Collectors.toSet());
  }

  @Override
  public long bytes() {
    return hints.stream().mapToLong(hint -> hint.mutation().heapBytes()).sum();
  }

  @Override
  public long count(MemberId target) {
    return sorted(target).size();
  }
}
