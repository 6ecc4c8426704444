package dev.kvorum.repair;

import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.metrics.Meters;
import dev.kvorum.replica.HintDelivery;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Replicas;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.HintStore.Hint;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers hints to members that are back: page by page, oldest first, at a rate that leaves them
 * room for their clients. A starting member pulls, the others push.
 *
 * <p>Lives on one event loop; hints are read from disk on a background thread.
 */
public final class HintedHandoff implements HintDelivery {
  private static final Logger log = LoggerFactory.getLogger(HintedHandoff.class);

  private static final Set<ReplicaReply> NOT_SENT =
      Set.of(
          new ReplicaReply.Failed(Refusal.UNREACHABLE),
          new ReplicaReply.Failed(Refusal.OVERLOADED));

  private static final ReplicaReply TOO_OLD =
      new ReplicaReply.Wrote(new Applied.Refused(Refusal.TOO_OLD));

  private final HandoffSettings settings;
  private final HintStore hints;
  private final Replicas replicas;
  private final ScheduledExecutorService loop;
  private final Executor background;
  private final InstantSource wallClock;
  private final LongSupplier nanoTime;
  private final Meters meters;
  private final Map<MemberId, Delivery> deliveries = new HashMap<>();

  public HintedHandoff(
      HandoffSettings settings,
      HintStore hints,
      Replicas replicas,
      ScheduledExecutorService loop,
      Executor background,
      InstantSource wallClock,
      LongSupplier nanoTime,
      Meters meters) {
    this.settings = settings;
    this.hints = hints;
    this.replicas = replicas;
    this.loop = loop;
    this.background = background;
    this.wallClock = wallClock;
    this.nanoTime = nanoTime;
    this.meters = meters;
  }

  /** Looks for members that are back, again and again. */
  public void start() {
    long millis = settings.interval().toMillis();
    loop.scheduleWithFixedDelay(this::pushToAll, millis, millis, TimeUnit.MILLISECONDS);
  }

  private void pushToAll() {
    for (MemberId target : hints.targets()) {
      if (!replicas.isSuspect(target)) {
        deliverPage(target);
      }
    }
  }

  @Override
  public void deliverSome(MemberId target, Waiter<ReplicaReply> waiter) {
    loop.execute(() -> {
      if (hints.count(target) == 0) {
        waiter.answer(new ReplicaReply.HintsDelivered(0, 0));
      } else {
        deliverPage(target).waiters.add(waiter);
      }
    });
  }

  private Delivery deliverPage(MemberId target) {
    return deliveries.computeIfAbsent(
        target,
        to -> {
          Delivery delivery = new Delivery(to);
          delivery.start();
          return delivery;
        });
  }

  /** One page on its way to one member. */
  private final class Delivery {
    private final MemberId target;
    private final List<Waiter<ReplicaReply>> waiters = new ArrayList<>();
    private final List<Hint> done = new ArrayList<>();
    private final long startNanos = nanoTime.getAsLong();
    private int delivered;
    private int underWay;
    private long bytes;

    Delivery(MemberId target) {
      this.target = target;
    }

    void start() {
      background.execute(() -> {
        List<Hint> page = hints.page(target, null, settings.pageHints());
        loop.execute(() -> send(page));
      });
    }

    private void send(List<Hint> page) {
      long oldest = wallClock.millis() - settings.ageMax().toMillis();
      long deadline = nanoTime.getAsLong() + settings.timeout().toNanos();
      underWay = 1;
      for (Hint hint : page) {
        Mutation mutation = hint.mutation();
        bytes += mutation.heapBytes();
        if (mutation.record().version().millis() < oldest) {
          done.add(hint);
          meters.hintExpired();
        } else {
          underWay++;
          replicas.ask(
              target, new ReplicaRequest.Write(mutation), deadline, reply -> on(hint, reply));
        }
      }
      oneLess();
    }

    private void on(Hint hint, ReplicaReply reply) {
      if (TOO_OLD.equals(reply)) {
        // It will not be taken later either; anti-entropy knows whether it was deleted.
        done.add(hint);
        meters.hintExpired();
      } else if (reply instanceof ReplicaReply.Wrote wrote
          && !(wrote.applied() instanceof Applied.Refused)) {
        delivered++;
        done.add(hint);
        meters.hintDelivered();
      } else if (NOT_SENT.contains(reply)) {
        bytes -= hint.mutation().heapBytes();
      }
      oneLess();
    }

    private void oneLess() {
      underWay--;
      if (underWay == 0) {
        hints.forget(done);
        long dueNanos = startNanos + bytes * 1_000_000_000L / settings.bytesPerSecond();
        long pauseNanos = Math.max(0, dueNanos - nanoTime.getAsLong());
        loop.schedule(this::finish, pauseNanos, TimeUnit.NANOSECONDS);
      }
    }

    private void finish() {
      deliveries.remove(target);
      long remaining = hints.count(target);
      if (delivered > 0 && remaining == 0) {
        log.info("All hints for {} are delivered", target);
      }
      // A page that got through is followed by the next; one that did not waits for the interval.
      boolean more = !done.isEmpty() && remaining > 0 && !replicas.isSuspect(target);
      if (more && delivered == 0) {
        // All were too old; what the waiters want may be behind them.
        deliverPage(target).waiters.addAll(waiters);
        return;
      }
      waiters.forEach(
          waiter -> waiter.answer(new ReplicaReply.HintsDelivered(delivered, remaining)));
      if (more) {
        deliverPage(target);
      }
    }
  }
}
