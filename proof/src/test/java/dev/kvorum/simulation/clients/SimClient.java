package dev.kvorum.simulation.clients;

import dev.kvorum.coordinator.Change;
import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReadOutcome;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.Key;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.network.SimLoopContext;
import dev.kvorum.simulation.run.Invariants;
import dev.kvorum.simulation.run.KeyHistory;
import dev.kvorum.simulation.run.KeyHistory.Floor;
import dev.kvorum.simulation.run.Profile.HotKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/** One session: an operation at a time, on any node, which it gives up when it has no patience. */
public final class SimClient {
  private final String name;
  private final SimCluster cluster;
  private final SplittableRandom random;
  private final Map<String, Integer> outcomes;
  private boolean isPatient;
  private long endMillis;
  private int operations;

  /** A session; {@code outcomes} counts what operations came to. */
  public SimClient(String name, SimCluster cluster, Map<String, Integer> outcomes) {
    this.name = name;
    this.cluster = cluster;
    this.random = cluster.random.split();
    this.outcomes = outcomes;
  }

  /** This client, which from now on waits for every outcome. */
  public SimClient patient() {
    isPatient = true;
    return this;
  }

  public void run(long forMillis) {
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
    if (cluster.quiet) {
      next();
      return;
    }
    operations++;
    SimProcess old = cluster.oldProcess();
    if (old != null && random.nextInt(3) == 0) {
      askOldProcess(old);
      return;
    }
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

  /** Sends to the old process: a reply backed by a majority is valid from either process. */
  private void askOldProcess(SimProcess old) {
    List<HotKey> strict = cluster.profile.keys().stream().filter(HotKey::strict).toList();
    HotKey hot = strict.get(random.nextInt(Math.min(5, strict.size())));
    Quorum quorum = new Quorum(Quorum.majorityOf(hot.from()), hot.from());
    String where = old.address().name();
    // On a copy of the directory it would give the versions of the later process.
    if (random.nextBoolean() || !old.hasOwnDirectory()) {
      read(where, old, hot, quorum, this::next);
    } else {
      put(where, old, hot, 0, quorum, this::next);
    }
  }

  /** One operation: over once it is answered, or the client stops waiting. */
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
      outcomes.merge(label(outcome), 1, Integer::sum);
      then.run();
      return true;
    }
  }

  private static String label(String outcome) {
    int end = outcome.indexOf('[');
    return end < 0 ? outcome : outcome.substring(0, end);
  }

  private <T> void ask(
      @Nullable SimProcess process,
      Operation operation,
      BiFunction<SimProcess, Coordinator, Mono<T>> call,
      Consumer<T> outcome) {
    if (process == null) {
      operation.end("NoConnection");
      return;
    }
    Disposable.Swap subscription = Disposables.swap();
    SimLoopContext loopContext = process.loopContext(operations);
    loopContext
        .loop()
        .execute(() ->
            subscription.update(
                call.apply(process, loopContext.coordinator())
                    .subscribe(answer -> {
                      if (!operation.over) {
                        outcome.accept(answer);
                        operation.end(answer.toString());
                      }
                    })));
    cluster.time.schedule(
        () -> {
          if (operation.end("GivenUp")) {
            loopContext.loop().execute(subscription::dispose);
          }
        },
        isPatient ? 10_000 : 100 + random.nextLong(1800),
        TimeUnit.MILLISECONDS);
  }

  public void read(SimNode node, HotKey hot, Runnable then) {
    Quorum quorum = cluster.profile.quorum(hot, cluster.operator.fromMax(), random);
    read(node.id.name(), node.process(), hot, quorum, then);
  }

  private void read(
      String where, @Nullable SimProcess asked, HotKey hot, Quorum quorum, Runnable then) {
    boolean counts = counts(hot, quorum);
    Floor floor = cluster.invariants.of(hot.key()).floor();
    Operation operation = new Operation(what("get", where, hot.key(), quorum), then);
    ask(
        asked,
        operation,
        (process, coordinator) -> coordinator.read(hot.key(), quorum, bytes -> true),
        (ReadOutcome outcome) ->
            cluster.invariants.read(hot.key(), counts && asksEnough(hot, quorum), floor, outcome));
  }

  /** Unless two members joined while it was asked: its majority is none among so many. */
  private boolean asksEnough(HotKey hot, Quorum quorum) {
    return quorum.from() == hot.from() || cluster.operator.fromMax() <= quorum.from() + 1;
  }

  public void put(SimNode node, HotKey hot, long ttlMillis, Runnable then) {
    put(node.id.name(), node.process(), hot, ttlMillis, writeQuorum(hot), then);
  }

  /** One operation that needs exactly this quorum. */
  public void put(SimNode node, HotKey hot, Quorum quorum, Runnable then) {
    put(node.id.name(), node.process(), hot, 0, quorum, then);
  }

  public void read(SimNode node, HotKey hot, Quorum quorum, Runnable then) {
    read(node.id.name(), node.process(), hot, quorum, then);
  }

  /** Where members have left, a write asks for as many copies as before, and more of the rest. */
  private Quorum writeQuorum(HotKey hot) {
    return cluster.profile.quorum(hot, hot.from(), random);
  }

  private void put(
      String where,
      @Nullable SimProcess asked,
      HotKey hot,
      long ttlMillis,
      Quorum quorum,
      Runnable then) {
    String value = name + ":" + operations;
    long now = cluster.time.wallClock(0).millis();
    cluster.invariants.of(hot.key()).putting(value, new KeyHistory.Put(ttlMillis, now));
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    Change change = new Change.Put(bytes, ttlMillis);
    Operation operation = new Operation(what("put " + ttlMillis, where, hot.key(), quorum), then);
    write(asked, hot, change, Optional.of(value), quorum, operation);
  }

  private void delete(SimNode node, HotKey hot) {
    delete(node, hot, writeQuorum(hot), this::next);
  }

  void delete(SimNode node, HotKey hot, Quorum quorum, Runnable then) {
    cluster.invariants.of(hot.key()).deleting();
    String what = what("delete", node.id.name(), hot.key(), quorum);
    Operation operation = new Operation(what, then);
    write(node.process(), hot, new Change.Delete(), Optional.empty(), quorum, operation);
  }

  private void write(
      @Nullable SimProcess asked,
      HotKey hot,
      Change change,
      Optional<String> value,
      Quorum quorum,
      Operation operation) {
    Invariants.Change watched = new Invariants.Change(value, counts(hot, quorum));
    Floor floor = cluster.invariants.of(hot.key()).floor();
    ask(
        asked,
        operation,
        (process, coordinator) -> process.write(coordinator, hot.key(), quorum, change),
        (WriteOutcome outcome) ->
            cluster.invariants.wrote(hot.key(), quorum, watched, floor, outcome));
  }

  private boolean counts(HotKey hot, Quorum quorum) {
    return hot.strict() && quorum.isMajority() && !cluster.profile.isLossy();
  }

  private String what(String verb, String where, Key key, Quorum quorum) {
    String what = name + ":" + operations + " " + verb + " " + key + " at " + where;
    return what + " " + quorum.ack() + "/" + quorum.from();
  }

  /** Reads all records of the cluster through a node. */
  private void range(SimNode node) {
    Operation operation = new Operation(name + ":" + operations + " range " + node.id, this::next);
    ClusterRange range = new ClusterRange(cluster, ClusterRange.order(cluster, node, operations));
    ask(
        node.process(),
        operation,
        (process, coordinator) ->
            coordinator
                .range(range.query(), ClusterRange.SETTINGS)
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
    MemberScan scan = new MemberScan(cluster, process, target, () -> operation.over);
    process.loop().execute(() -> scan.begin(operation::end));
    Runnable giveUp = () -> operation.end("GivenUp");
    cluster.time.schedule(giveUp, 3, TimeUnit.SECONDS);
  }
}
