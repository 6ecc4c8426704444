package dev.kvorum.repair;

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
  private final MemberId peer;
  private final long cut;
  private final Comparison.End.Differing differing;
  private final Consumer<Boolean> done;
  private int next;
  private long fetchedBytes;

  Mending(
      Ground ground,
      RepairSettings settings,
      Pace pace,
      Adoption adoption,
      MemberId peer,
      long cut,
      Comparison.End.Differing differing,
      Consumer<Boolean> done) {
    this.ground = ground;
    this.settings = settings;
    this.pace = pace;
    this.adoption = adoption;
    this.peer = peer;
    this.cut = cut;
    this.differing = differing;
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
        new SyncRequest.WantLeaves(ground.self(), cut, differing.level(), some),
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
        new SyncRequest.ListWanted(ground.self(), cut, after),
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
    ground
        .store()
        .read(
            theirs.key(),
            Detail.VERSION,
            ground.loop(),
            lookup -> {
              switch (lookup) {
                case Lookup.Found found -> decide(theirs, found.record().version(), end);
                case Lookup.FoundVersion found -> decide(theirs, found.version(), end);
                case Lookup.Absent absent -> decide(theirs, Version.NONE, end);
                case Lookup.Unknown unknown -> end.accept(false);
              }
            });
  }

  private void decide(Held theirs, Version mine, Consumer<Boolean> end) {
    if (!theirs.version().isNewerThan(mine)) {
      end.accept(true);
    } else if (keeps(theirs.key(), theirs.from())) {
      // What was removed here, all others have seen deleted: it need not come back as a tombstone.
      boolean removed =
          mine.equals(Version.NONE)
              && theirs.tombstone()
              && theirs.version().stamp() <= ground.store().removedUpTo();
      if (removed) {
        end.accept(true);
      } else {
        ground.meters().differenceFound();
        fetch(theirs.key(), end);
      }
    } else if (mine.equals(Version.NONE)) {
      end.accept(true);
    } else {
      ground.meters().differenceFound();
      dropOlder(theirs.key(), theirs.version(), end);
    }
  }

  private boolean keeps(Key key, int from) {
    PreferenceList list = ground.slots().get().preferenceList(key);
    return SharedSlots.rank(list, ground.self()) < from;
  }

  private void fetch(Key key, Consumer<Boolean> end) {
    Patience.ask(
        ground,
        peer,
        new ReplicaRequest.Read(key, Detail.RECORD),
        settings.timeout(),
        (reply, patience) -> {
          if (reply instanceof ReplicaReply.Looked looked) {
            switch (looked.lookup()) {
              case Lookup.Found found -> keep(new Mutation(key, found.record()), patience, end);
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

  private void keep(Mutation mutation, Patience patience, Consumer<Boolean> end) {
    fetchedBytes += mutation.heapBytes();
    if (keeps(mutation.key(), mutation.record().from())) {
      adoption.adopt(mutation, patience, end);
    } else {
      dropOlder(mutation.key(), mutation.record().version(), end);
    }
  }

  /** Lets an own copy go that is older than what others keep; a tombstone goes when it is time. */
  private void dropOlder(Key key, Version newer, Consumer<Boolean> end) {
    ground
        .store()
        .read(
            key,
            Detail.RECORD,
            ground.loop(),
            lookup -> {
              if (lookup instanceof Lookup.Found found && isOlder(found.record(), newer)) {
                ground
                    .store()
                    .remove(
                        key,
                        found.record().version(),
                        ground.loop(),
                        applied -> end.accept(applied instanceof Applied.Stored));
              } else {
                end.accept(!(lookup instanceof Lookup.Unknown));
              }
            });
  }

  private static boolean isOlder(Versioned mine, Version theirs) {
    return !mine.tombstone() && theirs.isNewerThan(mine.version());
  }
}
