package dev.kvorum.storage.engine;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.removing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.rocks.StoreFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions that are read while they are written, and how often the database is asked for them. */
class VersionReadsTest {
  private final List<ReadResult> beside = new ArrayList<>();
  private final AtomicInteger lookups = new AtomicInteger();
  private volatile boolean readsBeside;
  private volatile boolean fails;
  private @TempDir Path directory;
  private RecordStore store;

  @BeforeEach
  void open() {
    store = InterceptedEngine.open(directory, this::around);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private @Nullable Object around(String method, InterceptedEngine.Call call) throws Throwable {
    boolean isWrite = InterceptedEngine.isWrite(method);
    if (isWrite && fails) {
      throw new EngineException(
          "a fault", EngineException.Kind.IO_ERROR, new IOException("a fault"));
    }
    if (method.startsWith("get")) {
      lookups.incrementAndGet();
    }
    if (!isWrite || !readsBeside) {
      return call.make();
    }
    beside.add(version());
    Object result = call.make();
    beside.add(version());
    return result;
  }

  private ReadResult version() {
    return StoreFixture.read(store, "k", Store.Detail.VERSION);
  }

  private static ReadResult found(long stamp) {
    return new ReadResult.FoundVersion(new Version(stamp, 1));
  }

  @Test
  void areThoseInTheStoreWhileABatchIsWritten() {
    assertThat(apply(store, put("k", 1, "v"))).isEqualTo(STORED);
    assertThat(version()).isEqualTo(found(1));
    readsBeside = true;
    assertThat(apply(store, put("k", 2, "v"))).isEqualTo(STORED);
    assertThat(version()).isEqualTo(found(2));
    assertThat(await(removing(store, "k", 2))).isEqualTo(STORED);
    assertThat(version()).isEqualTo(ReadResult.Absent.ABSENT);
    assertThat(beside).containsExactly(found(1), found(2), found(2), ReadResult.Absent.ABSENT);
  }

  @Test
  void areThoseBeforeAWriteThatFailed() {
    assertThat(apply(store, put("k", 1, "v"))).isEqualTo(STORED);
    fails = true;
    assertThat(apply(store, put("k", 2, "v")))
        .isEqualTo(new WriteResult.Rejected(RejectReason.STORAGE_FAILED));
    assertThat(version()).isEqualTo(found(1));
    fails = false;
  }

  @Test
  void needNoLookupOnceTheyAreKnown() {
    assertThat(apply(store, put("k", 1, "v".repeat(100_000)))).isEqualTo(STORED);
    assertThat(apply(store, put("k", 2, "v".repeat(100_000)))).isEqualTo(STORED);
    lookups.set(0);
    assertThat(version()).isEqualTo(found(2));
    assertThat(lookups).hasValue(0);
  }
}
