package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.coordinator.Change;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.RangePart;
import dev.kvorum.coordinator.RangeQuery;
import dev.kvorum.coordinator.RangeSettings;
import dev.kvorum.coordinator.ReadOutcome;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.ExportSettings;
import dev.kvorum.tracing.OpenTelemetryTracer;
import dev.kvorum.tracing.TraceContext;
import dev.kvorum.tracing.Tracer;
import dev.kvorum.tracing.TracingSettings;
import io.netty.channel.EventLoop;
import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingMethod;

/** Real nodes work under a guard that sees every blocking call on their event loops. */
class NoBlockingCallOnEventLoopsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Quorum MAJORITY = new Quorum(2, 3);
  private static final Queue<String> CAUGHT = new ConcurrentLinkedQueue<>();
  private static final String ROCKS = "org.rocksdb.RocksDB";
  private static final String FOUND_IN_ARRAY = "(JJ[BII[BIIJ)I";
  private static final String FOUND_AS_ARRAY = "(JJ[BIIJ)[B";

  @TempDir private Path directory;

  @BeforeAll
  static void watchTheLoops() {
    BlockHound.builder()
        .nonBlockingThreadPredicate(
            others -> others.or(thread -> thread.getName().startsWith("kvorum-loop")))
        .markAsBlocking(ROCKS, "get", FOUND_IN_ARRAY)
        .markAsBlocking(ROCKS, "get", FOUND_AS_ARRAY)
        .markAsBlocking(ROCKS, "write0", "(JJJ)V")
        // The same native calls with a read tier that never goes to the disk.
        .allowBlockingCallsInside("dev.kvorum.storage.engine.RecordReads", "fromMemory")
        // Handing work to a pool takes the lock of its queue for a few instructions.
        .allowBlockingCallsInside("java.util.concurrent.ThreadPoolExecutor", "execute")
        // A span is put into a queue; a full batch wakes its thread under a lock of the same kind.
        .allowBlockingCallsInside(
            "io.opentelemetry.sdk.trace.export.BatchSpanProcessor$Worker", "addSpan")
        // Netty's allocator guards a few instructions with a lock when loops share an arena.
        .allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator", "allocate")
        // Rare lines about peers; frequent ones need an asynchronous appender.
        .allowBlockingCallsInside("ch.qos.logback.classic.Logger", "callAppenders")
        .blockingMethodCallback(NoBlockingCallOnEventLoopsTest::caught)
        .install();
  }

  private static void caught(BlockingMethod method) {
    String stack =
        StackWalker.getInstance()
            .walk(frames ->
                frames
                    .filter(frame -> !frame.getClassName().startsWith("reactor.blockhound"))
                    .limit(30)
                    .map(frame -> "\n    at " + frame)
                    .collect(Collectors.joining()));
    CAUGHT.add(method + " on " + Thread.currentThread().getName() + stack);
  }

  private LocalCluster cluster = new LocalCluster(Path.of(""), 0);

  @BeforeEach
  void makeACluster() {
    cluster = new LocalCluster(directory, 3);
    CAUGHT.clear();
  }

  @AfterEach
  void stop() {
    cluster.stopAll();
    CAUGHT.clear();
  }

  private List<Node> startAll() {
    List<Node> nodes = cluster.startAll();
    await().atMost(TIMEOUT).until(() -> nodes.stream().allMatch(this::isFullyConnected));
    return nodes;
  }

  private boolean isFullyConnected(Node node) {
    return node.peers().stream().allMatch(node::isConnected);
  }

  /** A tracer whose collector is away. */
  private static Tracer tracer() {
    return OpenTelemetryTracer.exporting(
        new ExportSettings(
            TestSettings.of(
                TracingSettings.class, "endpoint=http://127.0.0.1:1/v1/traces", "queue-max=64"),
            Duration.ZERO,
            "c",
            "n"),
        trouble -> {});
  }

  /** Every third request is traced. */
  private static @Nullable TraceContext trace(int number) {
    return number % 3 == 0 ? new TraceContext(1, number, 1, true) : null;
  }

  private static void write(List<Node> nodes, int first, int count) {
    List<CompletableFuture<WriteOutcome>> outcomes = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      Key key = Key.of("key " + i);
      TraceContext trace = trace(i);
      Change change = i % 5 == 4 ? new Change.Delete() : new Change.Put(new byte[i * 20], 0);
      outcomes.add(
          LocalCluster.on(
              nodes.get(i % nodes.size()),
              i,
              to -> to.write(key, MAJORITY, change, trace, () -> {})));
    }
    for (CompletableFuture<WriteOutcome> outcome : outcomes) {
      assertThat(outcome).succeedsWithin(TIMEOUT).isInstanceOf(WriteOutcome.Acknowledged.class);
    }
  }

  private static void read(List<Node> nodes, int count) {
    List<CompletableFuture<ReadOutcome>> outcomes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Key key = Key.of("key " + i);
      TraceContext trace = trace(i);
      outcomes.add(
          LocalCluster.on(
              nodes.get(i % nodes.size()), i, to -> to.read(key, MAJORITY, trace, bytes -> true)));
    }
    for (int i = 0; i < count; i++) {
      assertThat(outcomes.get(i))
          .succeedsWithin(TIMEOUT)
          .isInstanceOf(i % 5 == 4 ? ReadOutcome.NotFound.class : ReadOutcome.Found.class);
    }
  }

  private static void scan(List<Node> nodes) {
    RangeQuery all =
        new RangeQuery(KeyRange.ALL, KeyOrder.ASCENDING, Long.MAX_VALUE, RangeQuery.Scope.CLUSTER);
    RangeSettings bounds =
        TestSettings.of(RangeSettings.class, "page-records=64", "page-timeout=" + TIMEOUT);
    for (Node node : nodes) {
      assertThat(LocalCluster.on(node, 0, to -> to.range(all, bounds).collectList()))
          .succeedsWithin(TIMEOUT)
          .satisfies(parts ->
              assertThat(parts).isNotEmpty().allMatch(RangePart.Records.class::isInstance));
    }
  }

  @Test
  void theGuardItselfSeesWhoSleepsOrReadsTheDiskOnALoop() {
    Node node = cluster.start(0);
    EventLoop loop = node.loops().all().getFirst();
    loop.submit(
            () -> {
              Thread.sleep(1);
              return true;
            })
        .syncUninterruptibly();
    assertThat(CAUGHT).anyMatch(call -> call.contains("Thread.sleep"));
    CAUGHT.clear();
    loop.submit(() -> Files.readAllBytes(Path.of("pom.xml"))).syncUninterruptibly();
    loop.submit(() -> new FileInputStream("pom.xml").read()).syncUninterruptibly();
    assertThat(CAUGHT).anyMatch(call -> call.contains("FileInputStream"));
  }

  @Test
  void theGuardSeesRocksDbToo() throws RocksDBException {
    EventLoop loop = cluster.start(0).loops().all().getFirst();
    try (RocksDB db = RocksDB.open(directory.resolve("own").toString());
        ReadOptions reads = new ReadOptions();
        WriteOptions writes = new WriteOptions();
        WriteBatch batch = new WriteBatch()) {
      byte[] key = {1};
      ColumnFamilyHandle family = db.getDefaultColumnFamily();
      loop.submit(() -> db.get(family, reads, key)).syncUninterruptibly();
      assertThat(CAUGHT).hasSize(1).allMatch(call -> call.contains("RocksDB.get"));
      loop.submit(() -> db.get(family, reads, key, 0, 1, key, 0, 1)).syncUninterruptibly();
      assertThat(CAUGHT).hasSize(2).allMatch(call -> call.contains("RocksDB.get"));
      CAUGHT.clear();
      loop.submit(
              () -> {
                db.write(writes, batch);
                return true;
              })
          .syncUninterruptibly();
      assertThat(CAUGHT).hasSize(1).allMatch(call -> call.contains("RocksDB.write0"));
    }
  }

  @Test
  void readsWritesRangesHandoffAndTracesBlockNoLoop() {
    Tracer tracer = tracer();
    cluster.trace(tracer);
    List<Node> nodes = startAll();
    write(nodes, 0, 300);
    read(nodes, 300);
    cluster.stop(2);
    write(nodes.subList(0, 2), 300, 200);
    MemberId away = new MemberId("n2");
    await()
        .atMost(TIMEOUT)
        .until(() -> nodes.get(0).store().count(away) + nodes.get(1).store().count(away) > 0);
    Node back = cluster.start(2);
    assertThat(back.ready()).succeedsWithin(TIMEOUT);
    await()
        .atMost(TIMEOUT)
        .until(() -> nodes.get(0).store().count(away) + nodes.get(1).store().count(away) == 0);
    read(List.of(nodes.get(0), nodes.get(1), back), 500);
    scan(List.of(nodes.get(0), nodes.get(1), back));
    assertThat(CAUGHT).as("blocking calls on event loops").isEmpty();
    tracer.close();
  }
}
