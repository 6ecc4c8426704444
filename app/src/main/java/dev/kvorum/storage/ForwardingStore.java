package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import java.util.concurrent.Executor;

/** A store that forwards each request to the current store. */
public abstract class ForwardingStore implements Store {
  protected abstract Store delegate();

  @Override
  public void read(Key key, Detail detail, Executor loop, Waiter<ReadResult> waiter) {
    delegate().read(key, detail, loop, waiter);
  }

  @Override
  public void apply(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    delegate().apply(mutation, loop, waiter);
  }

  @Override
  public void applyStreamed(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    delegate().applyStreamed(mutation, loop, waiter);
  }

  @Override
  public void applySalvaged(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    delegate().applySalvaged(mutation, loop, waiter);
  }

  @Override
  public void scan(
      KeyRange range,
      KeyOrder order,
      Detail detail,
      ScanLimits limits,
      Executor loop,
      Waiter<ScanResult> waiter) {
    delegate().scan(range, order, detail, limits, loop, waiter);
  }

  @Override
  public void expire(Key key, Version version, Executor loop, Waiter<WriteResult> waiter) {
    delegate().expire(key, version, loop, waiter);
  }

  @Override
  public void restore(Mutation mutation, Executor loop, Waiter<WriteResult> waiter) {
    delegate().restore(mutation, loop, waiter);
  }

  @Override
  public void remove(Key key, Version version, Executor loop, Waiter<WriteResult> waiter) {
    delegate().remove(key, version, loop, waiter);
  }

  @Override
  public void drop(Key key, Version version, Executor loop, Waiter<WriteResult> waiter) {
    delegate().drop(key, version, loop, waiter);
  }

  @Override
  public long purgedUpTo() {
    return delegate().purgedUpTo();
  }

  @Override
  public long newestStamp() {
    return delegate().newestStamp();
  }

  @Override
  public boolean isNearlyFull() {
    return delegate().isNearlyFull();
  }

  @Override
  public long diskFreeBytes() {
    return delegate().diskFreeBytes();
  }
}
