package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.PreferenceList;
import dev.kvorum.replica.RepairReply.Held;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Repairs single records that a peer lists. A record is fetched if it is newer than the own copy,
 * if the own copy does not match its checksum, or if it outweighs the own copy.
 */
final class RecordRepair {
  private static final RepairResult NO_LONGER_NEEDED =
      new RepairResult.Failed("the session has ended or would fetch purged records");
  private static final RepairResult VERSION_ONLY =
      new RepairResult.Failed("the own store returned a version in place of a record");
  private static final RepairResult PEER_UNREADABLE =
      new RepairResult.Failed("the peer could not read a record");
  private static final RepairResult NOT_STORED =
      new RepairResult.Failed("the own store rejected a record");

  private final SessionContext session;
  private final BackgroundContext context;
  private final MemberId peer;
  private final MerkleTrees trees;
  private final BooleanSupplier over;
  private long fetchedBytes;

  /**
   * A repair of records from one peer.
   *
   * @param trees in which the difference was found
   * @param over whether records are no longer needed
   */
  RecordRepair(SessionContext session, MemberId peer, MerkleTrees trees, BooleanSupplier over) {
    this.session = session;
    this.context = session.background();
    this.peer = peer;
    this.trees = trees;
    this.over = over;
  }

  /** Bytes fetched since the previous call. */
  long takeFetchedBytes() {
    long fetched = fetchedBytes;
    fetchedBytes = 0;
    return fetched;
  }

  /**
   * The own copy of a record.
   *
   * @param record empty if there is none, or none that matches its checksum
   */
  private record Own(Optional<Versioned> record, boolean isMismatched) {
    static final Own ABSENT = new Own(Optional.empty(), false);

    /** A copy that does not match its checksum. */
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

  /** Updates the own copy if the peer's is newer, or intact where the own one is not. */
  void repair(Held theirs, Consumer<RepairResult> end) {
    if (over.getAsBoolean()) {
      end.accept(NO_LONGER_NEEDED);
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
                case ReadResult.Unknown(RejectReason reason) -> end.accept(unreadable(reason));
              }
            });
  }

  private static RepairResult unreadable(RejectReason reason) {
    return new RepairResult.Failed("an own record could not be read: " + reason.label());
  }

  private void compare(Held theirs, Version mine, Consumer<RepairResult> end) {
    // Two copies of one version can differ: a wrong clock made a tombstone of one, or one is
    // corrupted.
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
                  case ReadResult.FoundVersion found -> end.accept(VERSION_ONLY);
                  case ReadResult.Unknown(RejectReason reason)
                      when reason == RejectReason.CHECKSUM_MISMATCH ->
                      decide(theirs, Own.MISMATCHED, end);
                  case ReadResult.Unknown(RejectReason reason) -> end.accept(unreadable(reason));
                }
              });
    } else {
      end.accept(RepairResult.EQUAL);
    }
  }

  private void decide(Held theirs, Own mine, Consumer<RepairResult> end) {
    if (isSame(theirs, mine)) {
      end.accept(RepairResult.EQUAL);
      return;
    }
    // All peers have the tombstones that were removed here: none of them is needed again.
    boolean removed =
        mine.isAbsent()
            && theirs.tombstone()
            && theirs.version().stamp() <= context.store().purgedUpTo();
    boolean keeps = keeps(theirs.key(), theirs.from());
    if (removed || (mine.isAbsent() && !keeps)) {
      end.accept(RepairResult.EQUAL);
    } else if (keeps && session.dropped().isOutdated(theirs.key(), theirs.version())) {
      end.accept(RepairResult.EQUAL);
    } else if (keeps) {
      context.meters().differenceFound();
      fetch(theirs, mine, end);
    } else {
      context.meters().differenceFound();
      dropOlder(theirs.key(), theirs.version(), mine, end);
    }
  }

  /** Whether there is nothing to fetch. A live record also expires here. */
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

  private void fetch(Held theirs, Own mine, Consumer<RepairResult> end) {
    Key key = theirs.key();
    ReplyDeadline.ask(
        context,
        peer,
        new ReplicaRequest.Read(key, Detail.RECORD),
        session.settings().timeout(),
        (reply, replyDeadline) -> {
          if (reply instanceof ReplicaReply.ReadReply looked) {
            switch (looked.lookup()) {
              case ReadResult.Found found -> keep(key, found.record(), mine, replyDeadline, end);
              // The peer removed it after it was listed.
              case ReadResult.Absent absent -> end.accept(RepairResult.EQUAL);
              case ReadResult.FoundVersion found -> end.accept(PEER_UNREADABLE);
              case ReadResult.Unknown(RejectReason reason) ->
                  end.accept(
                      isNothingToFetch(reason, mine, theirs)
                          ? RepairResult.EQUAL
                          : PEER_UNREADABLE);
            }
          } else {
            end.accept(PEER_UNREADABLE);
          }
        });
  }

  /** Whether the peer's copy is the corrupted one of the two, or lost on all replicas. */
  private static boolean isNothingToFetch(RejectReason reason, Own mine, Held theirs) {
    return reason == RejectReason.DATA_LOST
        || (reason == RejectReason.CHECKSUM_MISMATCH && mine.isOf(theirs.version()));
  }

  private void keep(
      Key key,
      Versioned theirs,
      Own mine,
      ReplyDeadline replyDeadline,
      Consumer<RepairResult> end) {
    Mutation mutation = new Mutation(key, theirs);
    fetchedBytes += mutation.heapBytes();
    if (over.getAsBoolean()) {
      end.accept(NO_LONGER_NEEDED);
    } else if (isExpiredHere(theirs, mine)) {
      end.accept(RepairResult.EQUAL);
    } else if (!keeps(key, theirs.from())) {
      dropOlder(key, theirs.version(), mine, end);
    } else {
      Consumer<Boolean> kept =
          applied -> {
            if (applied && !mine.isMismatched()) {
              // The peer's session then finds no difference here.
              mine.record().ifPresent(old -> trees.takeOut(key, old));
              trees.add(key, theirs);
            }
            end.accept(applied ? RepairResult.EQUAL : NOT_STORED);
          };
      if (!mine.isOf(theirs.version())) {
        session.receiver().applyStreamed(mutation, replyDeadline, kept);
      } else if (mine.isTombstone()) {
        session.receiver().restore(mutation, replyDeadline, kept);
      } else if (theirs.outweighs(mine.record().orElseThrow())) {
        session.receiver().applyStreamed(mutation, replyDeadline, kept);
      } else {
        end.accept(RepairResult.EQUAL);
      }
    }
  }

  /** Whether the record has expired, and its tombstone is stored here or was removed already. */
  private boolean isExpiredHere(Versioned theirs, Own mine) {
    if (mine.isOf(theirs.version()) && mine.isTombstone()) {
      return !session.purger().isSurelyLive(theirs);
    }
    boolean removed = theirs.version().stamp() <= context.store().purgedUpTo();
    return mine.isAbsent() && removed && session.purger().isSurelyExpired(theirs);
  }

  /** Drops an own copy that is older than the peer's; tombstones are left to the purger. */
  private void dropOlder(Key key, Version newer, Own own, Consumer<RepairResult> end) {
    Optional<Versioned> mine = own.record();
    if (mine.isEmpty() || mine.get().tombstone() || !newer.isNewerThan(mine.get().version())) {
      end.accept(RepairResult.EQUAL);
      return;
    }
    // If it has become a tombstone since, the store rejects this: only the purger removes those.
    context
        .store()
        .drop(
            key,
            mine.get().version(),
            context.loop(),
            applied -> {
              if (applied instanceof WriteResult.Stored) {
                session.dropped().note(key, newer);
                trees.takeOut(key, mine.get());
              }
              end.accept(applied instanceof WriteResult.Stored ? RepairResult.EQUAL : NOT_STORED);
            });
  }
}
