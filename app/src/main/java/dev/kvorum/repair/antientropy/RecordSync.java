package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.PreferenceList;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.SyncReply.Held;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What becomes of one record that another member names where the trees differ: it is fetched where
 * it is newer than the own copy, where that does not match its checksum, or where it outweighs it.
 */
final class RecordSync {
  private final BackgroundContext context;
  private final Duration timeout;
  private final StreamReceiver receiver;
  private final DroppedRecords dropped;
  private final TombstoneReaper reaper;
  private final MemberId peer;
  private final MerkleTrees trees;
  private final BooleanSupplier over;
  private long fetchedBytes;

  /**
   * Repairs from one other member.
   *
   * @param trees from which the difference was seen
   * @param over whether it is no longer needed
   */
  RecordSync(
      BackgroundContext context,
      Duration timeout,
      StreamReceiver receiver,
      DroppedRecords dropped,
      TombstoneReaper reaper,
      MemberId peer,
      MerkleTrees trees,
      BooleanSupplier over) {
    this.context = context;
    this.timeout = timeout;
    this.receiver = receiver;
    this.dropped = dropped;
    this.reaper = reaper;
    this.peer = peer;
    this.trees = trees;
    this.over = over;
  }

  /** The bytes that were fetched since this was asked last. */
  long takeFetchedBytes() {
    long fetched = fetchedBytes;
    fetchedBytes = 0;
    return fetched;
  }

  /** The own copy of a record, as far as it can be read. */
  private record Own(Optional<Versioned> record, boolean isMismatched) {
    static final Own ABSENT = new Own(Optional.empty(), false);

    /** It is there, and is not what was stored. */
    static final Own MISMATCHED = new Own(Optional.empty(), true);

    static Own of(Versioned record) {
      return new Own(Optional.of(record), false);
    }

    boolean isAbsent() {
      return record.isEmpty() && !isMismatched;
    }

    boolean isOf(Version version) {
      return record.isPresent() && record.get().version().equals(version);
    }

    boolean isTombstone() {
      return record.isPresent() && record.get().tombstone();
    }
  }

  /** Makes the own copy equal to what the other member holds, if that is newer or right. */
  void repair(Held theirs, Consumer<Boolean> end) {
    if (over.getAsBoolean()) {
      end.accept(false);
      return;
    }
    context
        .store()
        .read(
            theirs.key(),
            Detail.VERSION,
            context.loop(),
            lookup -> {
              switch (lookup) {
                case ReadResult.Found found -> compare(theirs, found.record().version(), end);
                case ReadResult.FoundVersion found -> compare(theirs, found.version(), end);
                case ReadResult.Absent absent -> decide(theirs, Own.ABSENT, end);
                case ReadResult.Unknown unknown -> end.accept(false);
              }
            });
  }

  private void compare(Held theirs, Version mine, Consumer<Boolean> end) {
    // Of one version, a tombstone here may be of a record that expired by a wrong clock, and a copy
    // may not be what was stored.
    if (!mine.isNewerThan(theirs.version())) {
      context
          .store()
          .read(
              theirs.key(),
              Detail.RECORD,
              context.loop(),
              lookup -> {
                switch (lookup) {
                  case ReadResult.Found found -> decide(theirs, Own.of(found.record()), end);
                  case ReadResult.Absent absent -> decide(theirs, Own.ABSENT, end);
                  case ReadResult.FoundVersion found -> end.accept(false);
                  case ReadResult.Unknown(RejectReason reason)
                      when reason == RejectReason.CHECKSUM_MISMATCH ->
                      decide(theirs, Own.MISMATCHED, end);
                  case ReadResult.Unknown unknown -> end.accept(false);
                }
              });
    } else {
      end.accept(true);
    }
  }

  private void decide(Held theirs, Own mine, Consumer<Boolean> end) {
    if (isSame(theirs, mine)) {
      end.accept(true);
      return;
    }
    // What was removed here, all others have seen deleted: it need not come back as a tombstone.
    boolean removed =
        mine.isAbsent()
            && theirs.tombstone()
            && theirs.version().stamp() <= context.store().removedUpTo();
    boolean keeps = keeps(theirs.key(), theirs.from());
    if (removed || (mine.isAbsent() && !keeps)) {
      end.accept(true);
    } else if (keeps && dropped.isOutdated(theirs.key(), theirs.version())) {
      end.accept(true);
    } else if (keeps) {
      context.meters().differenceFound();
      fetch(theirs, mine, end);
    } else {
      context.meters().differenceFound();
      dropOlder(theirs.key(), theirs.version(), mine, end);
    }
  }

  /** Whether there is nothing to fetch: a live record expires here by itself. */
  private static boolean isSame(Held theirs, Own mine) {
    if (!mine.isOf(theirs.version())) {
      return false;
    }
    return theirs.tombstone()
        || (!mine.isTombstone() && mine.record().orElseThrow().checksum() == theirs.checksum());
  }

  private boolean keeps(Key key, int from) {
    PreferenceList list = context.layouts().get().before().preferenceList(key);
    return SharedSlots.rank(list, context.self()) < from;
  }

  private void fetch(Held theirs, Own mine, Consumer<Boolean> end) {
    Key key = theirs.key();
    ReplyDeadline.ask(
        context,
        peer,
        new ReplicaRequest.Read(key, Detail.RECORD),
        timeout,
        (reply, replyDeadline) -> {
          if (reply instanceof ReplicaReply.ReadReply looked) {
            switch (looked.lookup()) {
              case ReadResult.Found found -> keep(key, found.record(), mine, replyDeadline, end);
              // It was removed since it was named.
              case ReadResult.Absent absent -> end.accept(true);
              case ReadResult.FoundVersion found -> end.accept(false);
              case ReadResult.Unknown(RejectReason reason) ->
                  end.accept(isNothingToHave(reason, mine, theirs));
            }
          } else {
            end.accept(false);
          }
        });
  }

  /** Whether the other copy is the wrong one of two, or lost on all replicas. */
  private static boolean isNothingToHave(RejectReason reason, Own mine, Held theirs) {
    return reason == RejectReason.DATA_LOST
        || (reason == RejectReason.CHECKSUM_MISMATCH && mine.isOf(theirs.version()));
  }

  private void keep(
      Key key, Versioned theirs, Own mine, ReplyDeadline replyDeadline, Consumer<Boolean> end) {
    Mutation mutation = new Mutation(key, theirs);
    fetchedBytes += mutation.heapBytes();
    if (over.getAsBoolean()) {
      end.accept(false);
    } else if (isExpiredHere(theirs, mine)) {
      end.accept(true);
    } else if (!keeps(key, theirs.from())) {
      dropOlder(key, theirs.version(), mine, end);
    } else {
      Consumer<Boolean> kept =
          applied -> {
            if (applied && !mine.isMismatched()) {
              // So that the other one, when it compares, does not look for it once more.
              mine.record().ifPresent(old -> trees.takeOut(key, old));
              trees.add(key, theirs);
            }
            end.accept(applied);
          };
      if (!mine.isOf(theirs.version())) {
        receiver.applyStreamed(mutation, replyDeadline, kept);
      } else if (mine.isTombstone()) {
        receiver.restore(mutation, replyDeadline, kept);
      } else if (theirs.outweighs(mine.record().orElseThrow())) {
        receiver.applyStreamed(mutation, replyDeadline, kept);
      } else {
        end.accept(true);
      }
    }
  }

  /** Whether the tombstone that a record becomes is here for good, or was removed here already. */
  private boolean isExpiredHere(Versioned theirs, Own mine) {
    if (mine.isOf(theirs.version()) && mine.isTombstone()) {
      return !reaper.isSurelyLive(theirs);
    }
    boolean removed = theirs.version().stamp() <= context.store().removedUpTo();
    return mine.isAbsent() && removed && reaper.isSurelyExpired(theirs);
  }

  /** Lets an own copy go that is older than what others keep; a tombstone goes when it is time. */
  private void dropOlder(Key key, Version newer, Own own, Consumer<Boolean> end) {
    Optional<Versioned> mine = own.record();
    if (mine.isEmpty() || mine.get().tombstone() || !newer.isNewerThan(mine.get().version())) {
      end.accept(true);
      return;
    }
    // It may be a tombstone by now, which may be removed only once all others have seen it.
    context
        .store()
        .drop(
            key,
            mine.get().version(),
            context.loop(),
            applied -> {
              if (applied instanceof WriteResult.Stored) {
                dropped.note(key, newer);
                trees.takeOut(key, mine.get());
              }
              end.accept(applied instanceof WriteResult.Stored);
            });
  }
}
