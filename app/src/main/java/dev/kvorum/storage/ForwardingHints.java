package dev.kvorum.storage;

import dev.kvorum.data.Mutation;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Hints that forward each call to the current hint store. */
public interface ForwardingHints extends HintStore {
  /** The current hint store. */
  HintStore hints();

  @Override
  default boolean keep(MemberId target, Mutation mutation) {
    return hints().keep(target, mutation);
  }

  @Override
  default List<Hint> page(MemberId target, @Nullable Hint after, int countMax) {
    return hints().page(target, after, countMax);
  }

  @Override
  default void remove(List<Hint> hints) {
    hints().remove(hints);
  }

  @Override
  default Set<MemberId> targets() {
    return hints().targets();
  }

  @Override
  default long bytes() {
    return hints().bytes();
  }

  @Override
  default long count(MemberId target) {
    return hints().count(target);
  }
}
