package dev.kvorum.rpc;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
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
  private static final Comparator<Hint> ORDER =
      Comparator.<Hint, Version>comparing(hint -> hint.mutation().record().version())
          .thenComparing(hint -> hint.mutation().key());

  private final List<Hint> hints = new ArrayList<>();
  private final List<Hint> removed = new ArrayList<>();
  private boolean full;
  private boolean slow;
  private boolean throwsNext;

  /** The next page cannot be read, because of an error of the process. */
  public void throwNext() {
    throwsNext = true;
  }

  /** From now on nothing is kept. */
  public void fillUp() {
    full = true;
  }

  /** From now on removed hints stay until {@link #commit}. */
  public void removeLater() {
    slow = true;
  }

  /** Applies pending removals. */
  public void commit() {
    hints.removeAll(removed);
    removed.clear();
  }

  /** The hints for a member, oldest version first. */
  public List<Mutation> of(MemberId target) {
    return sorted(target).stream().map(Hint::mutation).toList();
  }

  private List<Hint> sorted(MemberId target) {
    return hints.stream().filter(hint -> hint.target().equals(target)).sorted(ORDER).toList();
  }

  @Override
  public boolean keep(MemberId target, Mutation mutation) {
    return !full && hints.add(new Hint(target, mutation));
  }

  @Override
  public List<Hint> page(MemberId target, @Nullable Hint after, int countMax) {
    if (throwsNext) {
      throwsNext = false;
      throw new LinkageError("no library");
    }
    return sorted(target).stream()
        .dropWhile(hint -> after != null && ORDER.compare(hint, after) <= 0)
        .limit(countMax)
        .toList();
  }

  @Override
  public void remove(List<Hint> delivered) {
    removed.addAll(delivered);
    if (!slow) {
      commit();
    }
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
