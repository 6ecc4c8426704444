package dev.kvorum.rebalance;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.MemberRecords;
import dev.kvorum.data.Mutation;
import dev.kvorum.placement.Layout;
import dev.kvorum.rebalance.TransferReport.State;
import dev.kvorum.replica.RecordSum;
import dev.kvorum.replica.TransferRequest.CopyGained;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies all records that this member gains in one epoch. It copies from all members before the
 * change, since any of them may have records that the others lack. Confined to one event loop,
 * except its report.
 */
final class Transfer implements TransferStream.Listener {
  private static final Logger log = LoggerFactory.getLogger(Transfer.class);
  private static final long PAUSE_MILLIS = 100;
  private static final long NEW_WRITES = 1;

  private final BackgroundContext context;
  private final RebalanceSettings settings;
  private final MemberRecords own;
  private final Layout layout;
  private final List<MemberId> sources;
  private final List<TransferStream> copies = new ArrayList<>();
  private boolean over;
  private int sourcesDone;
  private long records;
  private long bytes;
  private volatile TransferReport report;

  /**
   * Creates a transfer; {@link #start} begins it.
   *
   * @param own the records that this member has before
   */
  Transfer(
      BackgroundContext context, RebalanceSettings settings, MemberRecords own, Layout layout) {
    this.context = context;
    this.settings = settings;
    this.own = own;
    this.layout = layout;
    this.sources =
        layout.gainsAnything(context.self())
            ? layout.topology().members().stream()
                .filter(Member::isSource)
                .map(Member::id)
                .filter(id -> !id.equals(context.self()))
                .toList()
            : List.of();
    this.report = reportNow(State.RUNNING);
  }

  /** Starts once this member is complete and a majority of clocks has been read. */
  void start() {
    assert context.isOnLoop();
    if (over) {
      return;
    }
    OptionalLong now = context.majorityMillis();
    if (!own.hasAll() || now.isEmpty()) {
      context.loop().schedule(this::start, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } else if (context.marks().mark(TransferMarks.DONE) >= layout.epoch()) {
      report = reportNow(State.DONE);
    } else if (isFirst() && context.marks().mark(TransferMarks.EPOCH) != layout.epoch()) {
      keep(
          TransferMarks.BEGAN,
          // Tombstones purged before this time count as received.
          now.getAsLong(),
          () -> keep(TransferMarks.EPOCH, layout.epoch(), this::start));
    } else {
      copy();
    }
  }

  void stop() {
    assert context.isOnLoop();
    over = true;
    copies.forEach(TransferStream::stop);
  }

  private boolean isFirst() {
    return layout.topology().phase() == Phase.TRANSFERRING;
  }

  private void copy() {
    CopyGained all =
        new CopyGained(context.self(), layout.epoch(), since(), Optional.empty(), RecordSum.NONE);
    if (!sources.isEmpty()) {
      log.info("Streaming the slots gained in epoch {} from {}", layout.epoch(), sources);
    }
    for (MemberId source : sources) {
      copies.add(new TransferStream(context, settings, own.receiver(), source, all, this));
    }
    // A copy may end before the call returns.
    List.copyOf(copies).forEach(TransferStream::start);
    if (sources.isEmpty()) {
      end();
    }
  }

  /**
   * The second copy fetches the writes that may have reached a source after the first one had
   * passed.
   */
  private long since() {
    boolean known = context.marks().mark(TransferMarks.EPOCH) == layout.epoch() - 1;
    return isFirst() || !known ? 0 : NEW_WRITES;
  }

  @Override
  public void onPageStored(List<Mutation> page) {
    assert context.isOnLoop();
    long more = page.stream().mapToLong(Mutation::heapBytes).sum();
    records += page.size();
    bytes += more;
    context.meters().transferred(page.size(), more);
    report = reportNow(State.RUNNING);
  }

  @Override
  public void onSourceDone() {
    assert context.isOnLoop();
    sourcesDone++;
    report = reportNow(State.RUNNING);
    if (sourcesDone == sources.size()) {
      end();
    }
  }

  private void end() {
    if (isFirst()) {
      own.filledSince(context.marks().mark(TransferMarks.BEGAN), this::keepDone);
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
            log.info("Received all slots gained in epoch {}: {} records", layout.epoch(), records);
          }
        });
  }

  private void keep(String mark, long number, Runnable next) {
    context.keepMark(mark, number, () -> over, next);
  }

  private TransferReport reportNow(State state) {
    return new TransferReport(layout.epoch(), state, sourcesDone, sources.size(), records, bytes);
  }

  /** Progress of the transfer. Safe for any thread. */
  TransferReport report() {
    return report;
  }
}
