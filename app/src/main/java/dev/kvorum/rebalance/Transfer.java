package dev.kvorum.rebalance;

import dev.kvorum.background.Adoption;
import dev.kvorum.background.Ground;
import dev.kvorum.data.Mutation;
import dev.kvorum.placement.Layout;
import dev.kvorum.rebalance.TransferReport.State;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copying of all that this member gains in one epoch, from all members before the change: any
 * of them may have what the others miss. Lives on one event loop, but for its report.
 */
final class Transfer {
  private static final Logger log = LoggerFactory.getLogger(Transfer.class);
  private static final long PAUSE_MILLIS = 100;
  private static final long NEW_ARRIVALS = 1;

  private final Ground ground;
  private final RebalanceSettings settings;
  private final Adoption adoption;
  private final BooleanSupplier whole;
  private final Layout layout;
  private final FirstCopy firstCopy;
  private final List<MemberId> sources;
  private final List<SlotCopy> copies = new ArrayList<>();
  private boolean over;
  private int sourcesDone;
  private long records;
  private long bytes;
  private volatile TransferReport report;

  /** Told before a first copy counts as done. */
  interface FirstCopy {
    /**
     * All that this member gains has come since then.
     *
     * @param next run once that is noted
     */
    void since(long beganMillis, Runnable next);
  }

  /**
   * A transfer that has not begun.
   *
   * @param whole whether this member has all that it had before
   */
  Transfer(
      Ground ground,
      RebalanceSettings settings,
      Adoption adoption,
      BooleanSupplier whole,
      FirstCopy firstCopy,
      Layout layout) {
    this.ground = ground;
    this.settings = settings;
    this.adoption = adoption;
    this.whole = whole;
    this.firstCopy = firstCopy;
    this.layout = layout;
    this.sources =
        layout.gainsAnything(ground.self())
            ? layout.topology().before().stream()
                .map(Member::id)
                .filter(id -> !id.equals(ground.self()))
                .toList()
            : List.of();
    this.report = reportNow(State.RUNNING);
  }

  /** Begins once this member is whole and knows the time. */
  void start() {
    if (over) {
      return;
    }
    OptionalLong now = ground.majorityMillis();
    if (!whole.getAsBoolean() || now.isEmpty()) {
      ground.loop().schedule(this::start, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } else if (ground.marks().mark(TransferMarks.DONE) >= layout.epoch()) {
      report = reportNow(State.DONE);
    } else if (isFirst() && ground.marks().mark(TransferMarks.EPOCH) != layout.epoch()) {
      keep(
          TransferMarks.BEGAN,
          // Tombstones that went before it count as seen.
          now.getAsLong(),
          () -> keep(TransferMarks.EPOCH, layout.epoch(), this::start));
    } else {
      copy();
    }
  }

  void stop() {
    over = true;
    copies.forEach(SlotCopy::stop);
  }

  private boolean isFirst() {
    return layout.topology().phase() == Phase.TRANSFERRING;
  }

  private void copy() {
    long since = since();
    if (!sources.isEmpty()) {
      log.info("Copies what it gains in epoch {} from {}", layout.epoch(), sources);
    }
    for (MemberId source : sources) {
      copies.add(
          new SlotCopy(
              ground, settings, adoption, source, layout.epoch(), since, this::came, this::one));
    }
    // A copy may end before the call returns.
    List.copyOf(copies).forEach(SlotCopy::start);
    if (sources.isEmpty()) {
      end();
    }
  }

  /** The second copy brings what may have come to a source behind the first one's back. */
  private long since() {
    boolean known = ground.marks().mark(TransferMarks.EPOCH) == layout.epoch() - 1;
    return isFirst() || !known ? 0 : NEW_ARRIVALS;
  }

  private void came(List<Mutation> page) {
    long more = page.stream().mapToLong(Mutation::heapBytes).sum();
    records += page.size();
    bytes += more;
    ground.meters().transferred(page.size(), more);
    report = reportNow(State.RUNNING);
  }

  private void one() {
    sourcesDone++;
    report = reportNow(State.RUNNING);
    if (sourcesDone == sources.size()) {
      end();
    }
  }

  private void end() {
    if (isFirst()) {
      firstCopy.since(ground.marks().mark(TransferMarks.BEGAN), this::keepDone);
    } else {
      keepDone();
    }
  }

  private void keepDone() {
    keep(
        TransferMarks.DONE,
        layout.epoch(),
        () -> {
          report = reportNow(State.DONE);
          if (!sources.isEmpty()) {
            log.info("Has all that it gains in epoch {}: {} records", layout.epoch(), records);
          }
        });
  }

  private void keep(String mark, long number, Runnable next) {
    ground.keepMark(mark, number, () -> over, next);
  }

  private TransferReport reportNow(State state) {
    return new TransferReport(layout.epoch(), state, sourcesDone, sources.size(), records, bytes);
  }

  /** How far it is; safe for any thread. */
  TransferReport report() {
    return report;
  }
}
