package dev.kvorum.simulation;

import dev.kvorum.data.Mutation;
import dev.kvorum.storage.HintStore;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Hints around others, for those that do something differently. */
class WrappedHints implements HintStore {
  final HintStore inner;

  WrappedHints(HintStore inner) {
    this.inner = inner;
  }

  @Override
  public boolean keep(MemberId target, Mutation mutation) {
    return inner.keep(target, mutation);
  }

  @Override
  public List<Hint> page(MemberId target, @Nullable Hint after, int countMax) {
    return inner.page(target, after, countMax);
  }

  @Override
  public void forget(List<Hint> hints) {
    inner.forget(hints);
  }

  @Override
  public Set<MemberId> targets() {
    return inner.targets();
  }

  @Override
  public long bytes() {
    return inner.bytes();
  }

  @Override
  public long count(MemberId target) {
    return inner.count(target);
  }
}
