package dev.kvorum.repair;

import dev.kvorum.background.Adoption;
import dev.kvorum.background.Ground;
import dev.kvorum.background.Pace;
import dev.kvorum.background.Patience;
import dev.kvorum.background.Window;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.PreferenceList;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.replica.SyncReply.Held;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Lookup;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The fetching of what another member has newer, in the parts of the trees that differ. Everything
 * it holds there is named, also what this one need not keep: for that may be newer than a copy that
 * this one still has, which then has to go.
 */
final class Mending {
  private final Ground ground;
  private final RepairSettings settings;
  private final Pace pace;
  private final Adoption adoption;
  private final Dropped dropped;
  private final TombstoneReaper reaper;
  private final MemberId peer;
  private final MerkleTrees trees;
  private final Comparison.End.Differing differing;
  private final BooleanSupplier over;
  private final Consumer<Boolean> done;
  private int next;
  private long fetchedBytes;

  /**
   * A mending that has not begun.
   *
   * @param over whether nobody wants it any more
   */
  Mending(
      Ground ground,
      RepairSettings settings,
      Pace pace,
      Adoption adoption,
      Dropped dropped,
      TombstoneReaper reaper,
      MemberId peer,
      MerkleTrees trees,
      Comparison.End.Differing differing,
      BooleanSupplier over,
      Consumer<Boolean> done) {
    this.ground = ground;
    this.settings = settings;
    this.pace = pace;
    this.adoption = adoption;
    this.dropped = dropped;
    this.reaper = reaper;
    this.peer = peer;
    this.trees = trees;
    this.differing = differing;
    this.over = over;
    this.done = done;
  }

  void start() {
    want();
  }

  private void want() {
    int[] parts = differing.parts();
    if (next == parts.length) {
      list(Optional.empty());
      return;
    }
    int end = Math.min(parts.length, next + Pull.PARTS_MAX);
    int[] some = Arrays.copyOfRange(parts, next, end);
    next = end;
    Patience.ask(
        ground,
        peer,
        new SyncRequest.WantLeaves(ground.self(), trees.cut(), differing.level(), some),
        settings.timeout(),
        (reply, patience) -> {
          if (reply instanceof SyncReply.Done) {
            want();
          } else {
            done.accept(false);
          }
        });
  }

  private void list(Optional<Key> after) {
    Patience.ask(
        ground,
        peer,
        new SyncRequest.ListWanted(ground.self(), trees.cut(), after),
        settings.timeout(),
        (reply, patience) -> {
          if (reply instanceof SyncReply.Listed listed) {
            mend(listed);
          } else {
            done.accept(false);
          }
        });
  }

  private void mend(SyncReply.Listed listed) {
    List<Held> held = listed.held();
    fetchedBytes = 0;
    new Window(
            settings.window(),
            held.size(),
            (index, end) -> lookUp(held.get(index), end),
            mended -> {
              if (!mended) {
                done.accept(false);
              } else if (listed.next().isPresent()) {
                pace.after(fetchedBytes, () -> list(listed.next()));
              } else {
                done.accept(true);
              }
            })
        .start();
  }

  private void lookUp(Held theirs, Consumer<Boolean> end) {
    if (over.getAsBoolean()) {
      end.accept(false);
      return;
    }
    ground
        .store()
        .read(
            theirs.key(),
            Detail.VERSION,
            ground.loop(),
            lookup -> {
              switch (lookup) {
                case Lookup.Found found -> compare(theirs, found.record().version(), end);
                case Lookup.FoundVersion found -> compare(theirs, found.version(), end);
                case Lookup.Absent absent -> decide(theirs, Optional.empty(), end);
                case Lookup.Unknown unknown -> end.accept(false);
              }
            });
  }

  private void compare(Held theirs, Version mine, Consumer<Boolean> end) {
    // Of one version, a tombstone here may be of a record that expired by a wrong clock.
    boolean mayLackValue = theirs.version().equals(mine) && !theirs.tombstone();
    if (theirs.version().isNewerThan(mine) || mayLackValue) {
      ground
          .store()
          .read(
              theirs.key(),
              Detail.RECORD,
              ground.loop(),
              lookup -> {
                switch (lookup) {
                  case Lookup.Found found -> decide(theirs, Optional.of(found.record()), end);
                  case Lookup.Absent absent -> decide(theirs, Optional.empty(), end);
                  case Lookup.FoundVersion found -> end.accept(false);
                  case Lookup.Unknown unknown -> end.accept(false);
                }
              });
    } else {
      end.accept(true);
    }
  }

  private void decide(Held theirs, Optional<Versioned> mine, Consumer<Boolean> end) {
    if (isSame(mine, theirs.version()) && !mine.orElseThrow().tombstone()) {
      end.accept(true);
      return;
    }
    // What was removed here, all others have seen deleted: it need not come back as a tombstone.
    boolean removed =
        mine.isEmpty()
            && theirs.tombstone()
            && theirs.version().stamp() <= ground.store().removedUpTo();
    boolean keeps = keeps(theirs.key(), theirs.from());
    if (removed || (mine.isEmpty() && !keeps)) {
      end.accept(true);
    } else if (keeps && dropped.isOutdated(theirs.key(), theirs.version())) {
      end.accept(true);
    } else if (keeps) {
      ground.meters().differenceFound();
      fetch(theirs.key(), mine, end);
    } else {
      ground.meters().differenceFound();
      dropOlder(theirs.key(), theirs.version(), mine, end);
    }
  }

  private static boolean isSame(Optional<Versioned> mine, Version version) {
    return mine.isPresent() && mine.get().version().equals(version);
  }

  private boolean keeps(Key key, int from) {
    PreferenceList list = ground.layouts().get().before().preferenceList(key);
    return SharedSlots.rank(list, ground.self()) < from;
  }

  private void fetch(Key key, Optional<Versioned> mine, Consumer<Boolean> end) {
    Patience.ask(
        ground,
        peer,
        new ReplicaRequest.Read(key, Detail.RECORD),
        settings.timeout(),
        (reply, patience) -> {
          if (reply instanceof ReplicaReply.Looked looked) {
            switch (looked.lookup()) {
              case Lookup.Found found -> keep(key, found.record(), mine, patience, end);
              // It was removed since it was named.
              case Lookup.Absent absent -> end.accept(true);
              case Lookup.FoundVersion found -> end.accept(false);
              case Lookup.Unknown unknown -> end.accept(false);
            }
          } else {
            end.accept(false);
          }
        });
  }

  private void keep(
      Key key,
      Versioned theirs,
      Optional<Versioned> mine,
      Patience patience,
      Consumer<Boolean> end) {
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
          adopted -> {
            if (adopted) {
              // So that the other one, when it compares, does not look for it once more.
              mine.ifPresent(old -> trees.takeOut(key, old));
              trees.add(key, theirs);
            }
            end.accept(adopted);
          };
      if (isSame(mine, theirs.version())) {
        adoption.restore(mutation, patience, kept);
      } else {
        adoption.adopt(mutation, patience, kept);
      }
    }
  }

  /** Whether the tombstone that a record becomes is here for good, or was removed here already. */
  private boolean isExpiredHere(Versioned theirs, Optional<Versioned> mine) {
    if (isSame(mine, theirs.version())) {
      return !reaper.isSurelyLive(theirs);
    }
    boolean removed = theirs.version().stamp() <= ground.store().removedUpTo();
    return mine.isEmpty() && removed && reaper.isSurelyExpired(theirs);
  }

  /** Lets an own copy go that is older than what others keep; a tombstone goes when it is time. */
  private void dropOlder(Key key, Version newer, Optional<Versioned> mine, Consumer<Boolean> end) {
    if (mine.isEmpty() || mine.get().tombstone() || !newer.isNewerThan(mine.get().version())) {
      end.accept(true);
      return;
    }
    // It may be a tombstone by now: to remove one would say that all others have seen it.
    ground
        .store()
        .drop(
            key,
            mine.get().version(),
            ground.loop(),
            applied -> {
              if (applied instanceof Applied.Stored) {
                dropped.note(key, newer);
                trees.takeOut(key, mine.get());
              }
              end.accept(applied instanceof Applied.Stored);
            });
  }
}
