package dev.kvorum.simulation.storage;

import dev.kvorum.storage.engine.Engine;
import dev.kvorum.storage.engine.EngineException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A snapshot of a family; the records that cannot be read are those of the moment. */
final class SimCursor implements Engine.Cursor {
  /** Throws if an entry cannot be read. */
  interface Unreadable {
    void check(byte[] key) throws EngineException;
  }

  private final NavigableMap<byte[], byte[]> held;
  private final Unreadable unreadable;
  private Map.@Nullable Entry<byte[], byte[]> at;
  private @Nullable EngineException failed;

  SimCursor(NavigableMap<byte[], byte[]> held, Unreadable unreadable) {
    this.held = held;
    this.unreadable = unreadable;
  }

  @Override
  public void seekToFirst() {
    move(held.firstEntry());
  }

  @Override
  public void seekToLast() {
    move(held.lastEntry());
  }

  @Override
  public void next() {
    move(held.higherEntry(key()));
  }

  @Override
  public void previous() {
    move(held.lowerEntry(key()));
  }

  private void move(Map.@Nullable Entry<byte[], byte[]> to) {
    at = to;
    try {
      if (at != null) {
        unreadable.check(key());
      }
    } catch (EngineException e) {
      failed = e;
      at = null;
    }
  }

  @Override
  public boolean isValid() {
    return at != null;
  }

  @Override
  public byte[] key() {
    return Objects.requireNonNull(at).getKey();
  }

  @Override
  public byte[] value() {
    return Objects.requireNonNull(at).getValue();
  }

  @Override
  public int value(byte[] into) {
    return SimEngine.copied(value(), into);
  }

  @Override
  public void check() throws EngineException {
    if (failed != null) {
      throw failed;
    }
  }

  @Override
  public void close() {}
}
