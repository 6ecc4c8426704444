package dev.kvorum.storage.engine;

import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.Engine.Family;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** Marks in the {@code meta} family, cached in memory: there are a few for each member. */
public final class StoredMarks implements MarkStore {
  private static final String PREFIX = "mark/";

  private final Map<String, Long> marks = new ConcurrentHashMap<>();
  private final Map<String, Long> staged = new HashMap<>();
  private final Writer writer;

  /** Queues a mark for the writer. */
  @FunctionalInterface
  interface Writer {
    void write(WriteOp.KeepMark mark);
  }

  /** Reads all marks. Blocks. */
  StoredMarks(Engine engine, Writer writer) throws EngineException, CorruptRecordException {
    this.writer = writer;
    byte[] first = PREFIX.getBytes(StandardCharsets.UTF_8);
    try (Engine.Cursor at = engine.cursor(Family.META, first, null)) {
      for (at.seekToFirst(); at.isValid(); at.next()) {
        String key = new String(at.key(), StandardCharsets.UTF_8);
        if (!key.startsWith(PREFIX)) {
          break;
        }
        String name = key.substring(PREFIX.length());
        marks.put(name, MetaNumber.decode(at.value(), "the mark " + name));
      }
      at.check();
    }
  }

  /** Key of a mark in the {@code meta} family. */
  public static byte[] key(String name) {
    return (PREFIX + name).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public long mark(String name) {
    return marks.getOrDefault(name, 0L);
  }

  @Override
  public void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter) {
    writer.write(new WriteOp.KeepMark(name, number, loop, waiter));
  }

  /** Adds a mark to a batch. Confined to the writer thread. */
  void add(String name, long number, EngineBatch batch) throws EngineException {
    batch.put(Family.META, key(name), MetaNumber.encode(number));
    staged.put(name, number);
  }

  /** The batch was stored, or has failed: no mark is used that a crash may undo. */
  void finish(boolean stored) {
    if (stored) {
      marks.putAll(staged);
    }
    staged.clear();
  }
}
