package dev.kvorum.simulation;

import dev.kvorum.coordinator.Change;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReadOutcome;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.simulation.KeyHistory.Floor;
import dev.kvorum.simulation.Profile.HotKey;
import dev.kvorum.storage.ScanLimits;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/** One session: an operation at a time, on any node, which it gives up when it has no patience. */
final class SimClient {
  private static final ScanLimits PAGE = new ScanLimits(2, 1 << 16);

  private final String name;
  private final SimCluster cluster;
  private final SplittableRandom random;
  private final Map<String, Integer> outcomes;
  private long endMillis;
  private int operations;

  /**
   * A session.
   *
   * @param outcomes counts what operations came to
   */
  SimClient(String name, SimCluster cluster, Map<String, Integer> outcomes) {
    this.name = name;
    this.cluster = cluster;
    this.random = cluster.random.split();
    this.outcomes = outcomes;
  }

  void run(long forMillis) {
    endMillis = cluster.trace.millis() + forMillis;
    next();
  }

  private void next() {
    if (cluster.trace.millis() < endMillis) {
      long think = random.nextInt(3) == 0 ? random.nextLong(400) : random.nextLong(40);
      cluster.time.schedule(this::begin, think, TimeUnit.MILLISECONDS);
    }
  }

  private void begin() {
    operations++;
    SimNode node = cluster.anyNode(random);
    if (!node.isReady()) {
      next();
      return;
    }
    HotKey key = cluster.profile.key(random);
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> read(node, key, this::next);
      case 8, 9 -> delete(node, key);
      case 10, 11 -> put(node, key, cluster.profile.ttlMillis(random), this::next);
      case 12 -> {
        if (operations % 2 == 0) {
          scan(node);
        } else {
          range(node);
        }
      }
      default -> put(node, key, 0, this::next);
    }
  }

  /** One operation: over once it is answered, or given up. */
  private final class Operation {
    private final String what;
    private final Runnable then;
    private boolean over;

    Operation(String what, Runnable then) {
      this.what = what;
      this.then = then;
      cluster.trace.note(what);
    }

    boolean end(String outcome) {
      if (over) {
        return false;
      }
      over = true;
      cluster.trace.note(what + ": " + outcome);
      outcomes.merge(word(outcome), 1, Integer::sum);
      then.run();
      return true;
    }
  }

  private static String word(String outcome) {
    int end = outcome.indexOf('[');
    return end < 0 ? outcome : outcome.substring(0, end);
  }

  private <T> void ask(
      SimNode node, Operation operation, Function<SimProcess, Mono<T>> call, Consumer<T> outcome) {
    SimProcess process = node.process();
    if (process == null) {
      operation.end("NoConnection");
      return;
    }
    Disposable.Swap subscription = Disposables.swap();
    process
        .loop()
        .execute(() ->
            subscription.update(
                call.apply(process)
                    .subscribe(answer -> {
                      if (!operation.over) {
                        outcome.accept(answer);
                        operation.end(answer.toString());
                      }
                    })));
    cluster.time.schedule(
        () -> {
          if (operation.end("GivenUp")) {
            process.loop().execute(subscription::dispose);
          }
        },
        100 + random.nextLong(1800),
        TimeUnit.MILLISECONDS);
  }

  void read(SimNode node, HotKey hot, Runnable then) {
    Quorum quorum = cluster.profile.quorum(hot, cluster.operator.fromMax(), random);
    boolean counts = counts(hot, quorum);
    Floor floor = cluster.nevers.of(hot.key()).floor();
    Operation operation = new Operation(what("get", node, hot.key(), quorum), then);
    ask(
        node,
        operation,
        process -> process.coordinator().read(hot.key(), quorum, bytes -> true),
        (ReadOutcome outcome) ->
            cluster.nevers.read(hot.key(), counts && asksEnough(hot, quorum), floor, outcome));
  }

  /** Unless two members joined while it was asked: its majority is none among so many. */
  private boolean asksEnough(HotKey hot, Quorum quorum) {
    return quorum.from() == hot.from() || cluster.operator.fromMax() <= quorum.from() + 1;
  }

  void put(SimNode node, HotKey hot, long ttlMillis, Runnable then) {
    String value = name + ":" + operations;
    long now = cluster.time.wallClock(0).millis();
    cluster.nevers.of(hot.key()).putting(value, new KeyHistory.Put(ttlMillis, now));
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    write(
        node, hot, new Change.Put(bytes, ttlMillis), Optional.of(value), "put " + ttlMillis, then);
  }

  private void delete(SimNode node, HotKey hot) {
    cluster.nevers.of(hot.key()).deleting();
    write(node, hot, new Change.Delete(), Optional.empty(), "delete", this::next);
  }

  private void write(
      SimNode node, HotKey hot, Change change, Optional<String> value, String verb, Runnable then) {
    // Where members have left, a write asks for as many copies as before, and more of the rest.
    Quorum quorum = cluster.profile.quorum(hot, hot.from(), random);
    Nevers.Change watched = new Nevers.Change(value, counts(hot, quorum));
    Floor floor = cluster.nevers.of(hot.key()).floor();
    Operation operation = new Operation(what(verb, node, hot.key(), quorum), then);
    ask(
        node,
        operation,
        process -> process.coordinator().write(hot.key(), quorum, change, process.writing()),
        (WriteOutcome outcome) -> cluster.nevers.wrote(hot.key(), quorum, watched, floor, outcome));
  }

  private boolean counts(HotKey hot, Quorum quorum) {
    return hot.strict() && quorum.isMajority() && !cluster.profile.isLossy();
  }

  private String what(String verb, SimNode node, Key key, Quorum quorum) {
    String what = name + ":" + operations + " " + verb + " " + key + " at " + node.id;
    return what + " " + quorum.ack() + "/" + quorum.from();
  }

  /** Reads all records of the cluster through a node. */
  private void range(SimNode node) {
    Operation operation = new Operation(name + ":" + operations + " range " + node.id, this::next);
    ClusterRange range = new ClusterRange(cluster);
    ask(
        node,
        operation,
        process ->
            process
                .coordinator()
                .range(ClusterRange.query(), ClusterRange.settings(cluster.profile))
                .doOnNext(part -> {
                  if (!operation.over) {
                    range.part(part);
                  }
                })
                .then(Mono.fromSupplier(() -> operation.over ? "" : range.end())),
        ended -> {});
  }

  /** Reads all records of one member, page by page, through another. */
  private void scan(SimNode node) {
    SimNode target = cluster.anyNode(random);
    SimProcess process = node.process();
    if (process == null) {
      next();
      return;
    }
    Operation operation = new Operation(name + ":" + operations + " scan " + target.id, this::next);
    RangeReader reader =
        new RangeReader(
            cluster.nevers,
            target.id.name(),
            KeyRange.ALL,
            () -> new TreeSet<>(target.disk.written().records.keySet()));
    process.loop().execute(() -> page(process, target, KeyRange.ALL, reader, operation));
    Runnable giveUp = () -> operation.end("GivenUp");
    cluster.time.schedule(giveUp, 3, TimeUnit.SECONDS);
  }

  private void page(
      SimProcess process, SimNode target, KeyRange rest, RangeReader reader, Operation operation) {
    process
        .replicas()
        .ask(
            target.id,
            new ReplicaRequest.Scan(rest, PAGE),
            cluster.time.nanoTime() + 1_000_000_000L,
            reply -> {
              if (!(reply instanceof ReplicaReply.Page page) || operation.over) {
                operation.end("ScanFailed");
                return;
              }
              reader.page(page.records().stream().map(Mutation::key).toList(), page.next());
              page.next()
                  .ifPresentOrElse(
                      last -> page(process, target, rest.after(last), reader, operation),
                      () -> operation.end("Scanned"));
            });
  }
}
