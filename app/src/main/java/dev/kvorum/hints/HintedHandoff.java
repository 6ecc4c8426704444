package dev.kvorum.hints;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.HintDelivery;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Replicas;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.HintStore.Hint;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers hints to members that are reachable again, page by page, oldest first. Pushed hints have
 * a rate limit, which leaves the member capacity for its clients. A starting member has no clients
 * yet and pulls: it receives the next page as soon as it requests it.
 *
 * <p>Confined to one event loop; a background thread reads hints from disk.
 */
public final class HintedHandoff implements HintDelivery {
  private static final Logger log = LoggerFactory.getLogger(HintedHandoff.class);

  private static final Set<ReplicaReply> NOT_SENT =
      Set.of(
          new ReplicaReply.Failed(RejectReason.UNREACHABLE),
          new ReplicaReply.Failed(RejectReason.OVERLOADED));

  private static final ReplicaReply TOO_OLD =
      new ReplicaReply.WriteReply(new WriteResult.Rejected(RejectReason.TOO_OLD));

  private final BackgroundContext context;
  private final HintSettings settings;
  private final Duration timeout;
  private final HintStore hints;
  private final Replicas replicas;
  private final ScheduledExecutorService loop;
  private final Executor background;
  private final LongSupplier nanoTime;
  private final Meters meters;
  private final Map<MemberId, Round> rounds = new HashMap<>();

  /**
   * Handoff that has not started.
   *
   * @param timeout longest wait for a member's reply to one hint
   * @param background runs reads of hints, which block
   */
  public HintedHandoff(
      BackgroundContext context,
      HintSettings settings,
      Duration timeout,
      HintStore hints,
      Executor background) {
    this.context = context;
    this.settings = settings;
    this.timeout = timeout;
    this.hints = hints;
    this.replicas = context.replicas();
    this.loop = context.loop();
    this.background = background;
    this.nanoTime = context.nanoTime();
    this.meters = context.meters();
  }

  /** Starts to push hints periodically to reachable members. */
  public void start() {
    long millis = settings.interval().toMillis();
    // Apart: a periodic task that throws would not run again, and nobody would learn of it.
    loop.scheduleWithFixedDelay(
        () -> loop.execute(this::pushToAll), millis, millis, TimeUnit.MILLISECONDS);
  }

  private void pushToAll() {
    for (MemberId target : hints.targets()) {
      boolean former = context.layouts().get().topology().member(target).isEmpty();
      if (former || !replicas.isSuspect(target)) {
        round(target);
      }
    }
  }

  @Override
  public void deliverSome(MemberId target, Waiter<ReplicaReply> waiter) {
    loop.execute(() -> {
      if (hints.count(target) == 0) {
        waiter.reply(new ReplicaReply.HintsDelivered(0, 0));
      } else {
        round(target).pull(waiter);
      }
    });
  }

  private Round round(MemberId target) {
    assert context.isOnLoop();
    return rounds.computeIfAbsent(
        target,
        to -> {
          Round round = new Round(to);
          round.readPage();
          return round;
        });
  }

  /** One pass over the hints for one member, page by page. */
  private final class Round {
    private final MemberId target;
    private final List<Waiter<ReplicaReply>> waiters = new ArrayList<>();
    private @Nullable Hint last;
    private @Nullable Future<?> pause;
    private boolean someDelivered;
    private boolean someLeft;

    // The page in flight.
    private List<Hint> done = new ArrayList<>();
    private long startNanos;
    private int delivered;
    private int underWay;
    private long bytes;

    Round(MemberId target) {
      this.target = target;
    }

    /** Adds a waiter to the page in flight, or starts the next page. */
    void pull(Waiter<ReplicaReply> waiter) {
      waiters.add(waiter);
      if (pause != null && pause.cancel(false)) {
        readPage();
      }
    }

    private void readPage() {
      pause = null;
      done = new ArrayList<>();
      startNanos = nanoTime.getAsLong();
      delivered = 0;
      bytes = 0;
      // Forgotten hints may still be on disk for a moment; continuing behind the last one reads
      // none twice.
      Hint after = last;
      background.execute(() -> {
        List<Hint> page;
        try {
          page = hints.page(target, after, settings.pageMax());
        } catch (RuntimeException | Error e) {
          // The waiters still need a reply, and the member its next round.
          log.error("The hints for {} cannot be read", target, e);
          loop.execute(this::endUnread);
          return;
        }
        loop.execute(() -> send(page));
      });
    }

    private void endUnread() {
      someLeft = true;
      end();
    }

    private void send(List<Hint> page) {
      if (page.isEmpty()) {
        reachedEnd();
        return;
      }
      last = page.getLast();
      long oldest = context.clock().correctedMillis() - settings.ageMax().toMillis();
      long deadline = nanoTime.getAsLong() + timeout.toNanos();
      underWay = 1;
      Layout layout = context.layouts().get();
      for (Hint hint : page) {
        Mutation mutation = hint.mutation();
        // After a membership change, the new members have received the records that they keep.
        boolean wanted = layout.keeps(target, mutation.key(), mutation.record().from());
        if (!wanted || mutation.record().version().millis() < oldest) {
          done.add(hint);
          meters.hintExpired();
        } else {
          bytes += mutation.heapBytes();
          underWay++;
          replicas.ask(
              target,
              new ReplicaRequest.Write(mutation),
              layout.epoch(),
              deadline,
              reply -> on(hint, reply));
        }
      }
      oneLess();
    }

    private void on(Hint hint, ReplicaReply reply) {
      assert context.isOnLoop();
      if (TOO_OLD.equals(reply)) {
        // The target would reject it later as well; anti-entropy decides whether the record was
        // deleted.
        done.add(hint);
        meters.hintExpired();
      } else if (reply instanceof ReplicaReply.WriteReply wrote
          && !(wrote.applied() instanceof WriteResult.Rejected)) {
        delivered++;
        done.add(hint);
        meters.hintDelivered();
      } else {
        someLeft = true;
        bytes -= NOT_SENT.contains(reply) ? hint.mutation().heapBytes() : 0;
      }
      oneLess();
    }

    private void oneLess() {
      underWay--;
      if (underWay == 0) {
        hints.remove(done);
        someDelivered |= delivered > 0;
        endPage();
      }
    }

    private void endPage() {
      // Continue at once after a page with progress; otherwise wait for the next interval.
      if (done.isEmpty() || hints.count(target) == 0 || replicas.isSuspect(target)) {
        end();
        return;
      }
      // If all hints of the page were too old, usable ones may follow.
      if (delivered > 0) {
        replyToWaiters();
      }
      long dueNanos = startNanos + bytes * 1_000_000_000L / settings.bytesPerSecond();
      long pauseNanos = waiters.isEmpty() ? Math.max(0, dueNanos - nanoTime.getAsLong()) : 0;
      pause = loop.schedule(this::readPage, pauseNanos, TimeUnit.NANOSECONDS);
    }

    private void reachedEnd() {
      if (someLeft && someDelivered && !waiters.isEmpty()) {
        // A starting member waits, and deliveries that failed once may succeed now.
        last = null;
        someLeft = false;
        someDelivered = false;
        readPage();
      } else {
        end();
      }
    }

    private void end() {
      rounds.remove(target);
      if (someDelivered && !someLeft && !replicas.isSuspect(target)) {
        log.info("Delivered all hints for {}", target);
      }
      replyToWaiters();
    }

    private void replyToWaiters() {
      ReplicaReply reply = new ReplicaReply.HintsDelivered(delivered, hints.count(target));
      List<Waiter<ReplicaReply>> waiting = List.copyOf(waiters);
      waiters.clear();
      waiting.forEach(waiter -> waiter.reply(reply));
    }
  }
}
