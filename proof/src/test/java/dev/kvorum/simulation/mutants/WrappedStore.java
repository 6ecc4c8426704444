package dev.kvorum.simulation.mutants;

import dev.kvorum.storage.ForwardingStore;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import java.util.function.UnaryOperator;

/** A store around another one, for those that do something differently. */
class WrappedStore extends ForwardingStore {
  final Store inner;

  WrappedStore(Store inner) {
    this.inner = inner;
  }

  /** The same waiter, which receives a changed result. */
  static <T> Waiter<T> changed(Waiter<T> waiter, UnaryOperator<T> change) {
    return new Waiter<>() {
      @Override
      public void reply(T answer) {
        waiter.reply(change.apply(answer));
      }

      @Override
      public boolean isWaiting() {
        return waiter.isWaiting();
      }
    };
  }

  @Override
  protected final Store delegate() {
    return inner;
  }

  @Override
  public void close() {
    inner.close();
  }
}
