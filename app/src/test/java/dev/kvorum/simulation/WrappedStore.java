package dev.kvorum.simulation;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Lookup;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.Scanned;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/** A store around another one, for those that do something differently. */
class WrappedStore implements Store {
  final Store inner;

  WrappedStore(Store inner) {
    this.inner = inner;
  }

  /** The same waiter, who hears something else. */
  static <T> Waiter<T> changed(Waiter<T> waiter, UnaryOperator<T> change) {
    return new Waiter<>() {
      @Override
      public void answer(T answer) {
        waiter.answer(change.apply(answer));
      }

      @Override
      public boolean isWaiting() {
        return waiter.isWaiting();
      }
    };
  }

  @Override
  public void read(Key key, Detail detail, Executor loop, Waiter<Lookup> waiter) {
    inner.read(key, detail, loop, waiter);
  }

  @Override
  public void apply(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    inner.apply(mutation, loop, waiter);
  }

  @Override
  public void adopt(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    inner.adopt(mutation, loop, waiter);
  }

  @Override
  public void scan(
      KeyRange range, Detail detail, ScanLimits limits, Executor loop, Waiter<Scanned> waiter) {
    inner.scan(range, detail, limits, loop, waiter);
  }

  @Override
  public void entomb(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    inner.entomb(key, version, loop, waiter);
  }

  @Override
  public void restore(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    inner.restore(mutation, loop, waiter);
  }

  @Override
  public void remove(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    inner.remove(key, version, loop, waiter);
  }

  @Override
  public void drop(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    inner.drop(key, version, loop, waiter);
  }

  @Override
  public long removedUpTo() {
    return inner.removedUpTo();
  }

  @Override
  public boolean isNearlyFull() {
    return inner.isNearlyFull();
  }

  @Override
  public void close() {
    inner.close();
  }
}
