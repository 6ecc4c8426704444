package dev.kvorum.background;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Stores records, a few at a time, until all are stored. What was rejected is tried again after a
 * pause, and nothing else: hours of work must survive one full queue. Confined to one event loop.
 */
public final class RetryingWriter {
  private static final long RETRY_MILLIS = 1000;

  private final BackgroundContext context;
  private final int window;
  private final BooleanSupplier isOver;
  private final Consumer<Runnable> room;

  /**
   * Creates a writer.
   *
   * @param window records at a time
   * @param isOver returns whether nothing more is to be stored; no callback runs then
   * @param room makes room on the disk if there is too little, then runs the action
   */
  public RetryingWriter(
      BackgroundContext context, int window, BooleanSupplier isOver, Consumer<Runnable> room) {
    this.context = context;
    this.window = window;
    this.isOver = isOver;
    this.room = room;
  }

  /**
   * Stores records.
   *
   * @param store stores one of them, and reports whether it was not rejected
   * @param done called once all are stored
   */
  public <R> void write(List<R> records, BiConsumer<R, Consumer<Boolean>> store, Runnable done) {
    assert context.isOnLoop();
    BitSet stored = new BitSet(records.size());
    new BoundedParallel(
            window,
            records.size(),
            (index, next) ->
                store.accept(
                    records.get(index),
                    isStored -> {
                      stored.set(index, isStored);
                      next.accept(isStored);
                    }),
            areAllStored -> {
              if (isOver.getAsBoolean()) {
                return;
              }
              if (areAllStored) {
                done.run();
              } else {
                later(() -> write(without(stored, records), store, done));
              }
            })
        .start();
  }

  /** Runs an action after a pause, in which room is made if there is too little. */
  public void later(Runnable action) {
    Runnable unlessOver =
        () -> {
          if (!isOver.getAsBoolean()) {
            room.accept(action);
          }
        };
    context.loop().schedule(unlessOver, RETRY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static <R> List<R> without(BitSet stored, List<R> records) {
    BitSet open = new BitSet(records.size());
    open.set(0, records.size());
    open.andNot(stored);
    return open.stream().mapToObj(records::get).toList();
  }
}
