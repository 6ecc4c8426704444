package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces records of this member's store that do not match their checksums by intact copies of
 * peers. A record of which no peer has an intact copy is lost; while a peer that may have one does
 * not reply, it is undecided.
 *
 * <p>Both are checked again now and then, beside the others. Undecided ones must not keep others
 * from their repair until a peer returns. Pages that leave lost records out go on, so a copy must
 * learn of each record whether it is lost, however many there are. Confined to one event loop; keys
 * may be reported from any thread.
 */
final class MismatchRepair {
  private static final Logger log = LoggerFactory.getLogger(MismatchRepair.class);
  private static final int UNDER_WAY_MAX = 1000;
  private static final int RECHECKS_MAX = 1000;

  /**
   * Number of lost and undecided records that are remembered. It must exceed those of a page, which
   * is sent only while all of its records that do not match are known to be lost.
   */
  private static final int REMEMBERED_MAX = 100_000;

  private static final long PAUSE_MIN_MILLIS = 500;
  private static final long PAUSE_MAX_MILLIS = 30_000;

  private final BackgroundContext context;
  private final Duration timeout;
  private final StreamReceiver receiver;
  private final ChecksumVerifier verifier;
  private final Set<Key> underWay = ConcurrentHashMap.newKeySet();

  private final Set<Key> undecided = ConcurrentHashMap.newKeySet();

  // Lost and undecided records in the order of their next check, without those that are being
  // checked.
  private final SequencedSet<Key> waiting = new LinkedHashSet<>();
  private int rechecks;
  private boolean isRecheckDue;
  private long recheckPauseMillis;

  /** Repairs what this member's store finds, from now on. */
  public static void begin(BackgroundContext context, Duration timeout, StreamReceiver receiver) {
    MismatchRepair repair = new MismatchRepair(context, timeout, receiver);
    repair.verifier.whenStoreMismatches(repair::found);
  }

  private MismatchRepair(BackgroundContext context, Duration timeout, StreamReceiver receiver) {
    this.context = context;
    this.timeout = timeout;
    this.receiver = receiver;
    this.verifier = context.replicas().verifier();
  }

  /** Repairs a record, on any thread; one of too many is found again later. */
  private void found(Key key) {
    boolean hasRoom = underWay.size() < UNDER_WAY_MAX;
    boolean isRemembered = undecided.contains(key) || isLost(key);
    if (hasRoom && !isRemembered && underWay.add(key)) {
      context.loop().execute(() -> new Attempt(key, PAUSE_MIN_MILLIS).begin());
    }
  }

  private boolean isLost(Key key) {
    return verifier.areLost(List.of(key));
  }

  private void recheck() {
    isRecheckDue = false;
    // Counted first: one without peers is over, and waits again, at once.
    for (int due = Math.min(RECHECKS_MAX - rechecks, waiting.size()); due > 0; due--) {
      rechecks++;
      new Attempt(waiting.removeFirst(), 0).begin();
    }
    recheckLater();
  }

  private void recheckLater() {
    if (!isRecheckDue && !waiting.isEmpty()) {
      isRecheckDue = true;
      context.loop().schedule(this::recheck, recheckPauseMillis, TimeUnit.MILLISECONDS);
      recheckPauseMillis = Math.min(PAUSE_MAX_MILLIS, 2 * recheckPauseMillis);
    }
  }

  /**
   * Lets a record wait for its next check. The first checks follow soon: a member that is being
   * rebuilt, or was away for a moment, may have a copy then. Of too many records, the one that
   * waits longest is forgotten: it is found again.
   */
  private void keepWaiting(Key key) {
    if (waiting.isEmpty() && rechecks == 0) {
      recheckPauseMillis = PAUSE_MIN_MILLIS;
    }
    waiting.addLast(key);
    if (waiting.size() > REMEMBERED_MAX) {
      forget(waiting.removeFirst());
    }
    recheckLater();
  }

  private void forget(Key key) {
    verifier.lost(key, false);
    undecided.remove(key);
  }

  /** One search for an intact copy, which is repeated after a pause or, with none, is a recheck. */
  private final class Attempt {
    private final Key key;
    private final long pauseMillis;
    private int missing;
    private boolean isSilent;
    private @Nullable Versioned newest;
    private @Nullable ReplyDeadline replyDeadline;

    Attempt(Key key, long pauseMillis) {
      this.key = key;
      this.pauseMillis = pauseMillis;
    }

    void begin() {
      assert context.isOnLoop();
      context.store().read(key, Detail.RECORD, context.loop(), this::onRecord);
    }

    private void onRecord(ReadResult lookup) {
      assert context.isOnLoop();
      switch (lookup) {
        case ReadResult.Found _, ReadResult.Absent _ -> {
          forget(key);
          leave();
        }
        case ReadResult.FoundVersion _ -> again();
        case ReadResult.Unknown(RejectReason reason) when isMismatch(reason) ->
            context.store().read(key, Detail.VERSION, context.loop(), this::onVersion);
        case ReadResult.Unknown _ -> again();
      }
    }

    private void onVersion(ReadResult lookup) {
      assert context.isOnLoop();
      List<MemberId> peers = context.peers().get();
      if (lookup instanceof ReadResult.FoundVersion(Version version)) {
        missing = peers.size();
        if (missing == 0) {
          end(version);
        }
        for (MemberId peer : peers) {
          ReplyDeadline.ask(
              context,
              peer,
              new ReplicaRequest.Read(key, Detail.RECORD),
              timeout,
              (reply, its) -> on(version, reply, its));
        }
      } else {
        again();
      }
    }

    private void on(Version version, ReplicaReply reply, ReplyDeadline its) {
      assert context.isOnLoop();
      if (reply instanceof ReplicaReply.ReadReply(ReadResult.Found(Versioned record))) {
        // A copy with fewer replicas, which this member does not keep, would be rejected.
        boolean keeps = context.layouts().get().keeps(context.self(), key, record.from());
        if (keeps && (newest == null || record.version().isNewerThan(newest.version()))) {
          newest = record;
          replyDeadline = its;
        }
      } else if (!isWithoutRecord(reply)) {
        isSilent = true;
      }
      missing--;
      if (missing == 0) {
        end(version);
      }
    }

    /** One that is rebuilt may wait for this very record, and counts as if it had nothing. */
    private static boolean isWithoutRecord(ReplicaReply reply) {
      return reply instanceof ReplicaReply.ReadReply(ReadResult lookup)
          && switch (lookup) {
            case ReadResult.Absent _ -> true;
            case ReadResult.Unknown(RejectReason reason) ->
                isMismatch(reason) || reason == RejectReason.REBUILDING;
            case ReadResult.Found _, ReadResult.FoundVersion _ -> false;
          };
    }

    private static boolean isMismatch(RejectReason reason) {
      return reason == RejectReason.CHECKSUM_MISMATCH || reason == RejectReason.DATA_LOST;
    }

    /** An older copy must not take its place: this one may have been acknowledged. */
    private void end(Version version) {
      Versioned record = newest;
      ReplyDeadline its = replyDeadline;
      if (record != null && its != null && !version.isNewerThan(record.version())) {
        receiver.applyStreamed(new Mutation(key, record), its, applied -> again());
        return;
      }
      if (!isLost(key)) {
        if (isSilent) {
          undecided.add(key);
        } else {
          foundLost(version);
        }
      }
      keepWaiting(key);
      leave();
    }

    private void foundLost(Version version) {
      log.error(
          "Record {} of key {} does not match its checksum here, and no other replica has an"
              + " intact or newer copy: it is lost until it is written or deleted",
          version,
          key.encoded());
      verifier.lost(key, true);
      undecided.remove(key);
    }

    private boolean isRecheck() {
      return pauseMillis == 0;
    }

    private void leave() {
      if (isRecheck()) {
        rechecks--;
      } else {
        underWay.remove(key);
      }
    }

    /** Checks once more whether the record matches now. */
    private void again() {
      if (isRecheck()) {
        keepWaiting(key);
        leave();
        return;
      }
      long next = Math.min(PAUSE_MAX_MILLIS, 2 * pauseMillis);
      context
          .loop()
          .schedule(() -> new Attempt(key, next).begin(), pauseMillis, TimeUnit.MILLISECONDS);
    }
  }
}
