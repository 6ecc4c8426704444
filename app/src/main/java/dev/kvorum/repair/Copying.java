package dev.kvorum.repair;

import dev.kvorum.background.Adoption;
import dev.kvorum.background.Ground;
import dev.kvorum.background.Patience;
import dev.kvorum.background.Window;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The copying of all that this member has to keep from one other member, page by page. A source
 * that was away goes on where it left off, as long as its store has not been emptied.
 */
final class Copying {
  private final Ground ground;
  private final RepairSettings settings;
  private final SyncRequest.AskStatus question;
  private final Adoption adoption;
  private final MemberId source;
  private final Consumer<Boolean> paused;
  private final Runnable missed;
  private SyncReply.@Nullable Status first;
  private Optional<Key> after = Optional.empty();
  private boolean isEmptied;
  private boolean over;

  /**
   * A copying that has not begun.
   *
   * @param paused told each time it comes to rest whether it is complete
   * @param missed run when the source has removed what this member may have copied elsewhere
   */
  Copying(
      Ground ground,
      RepairSettings settings,
      SyncRequest.AskStatus question,
      Adoption adoption,
      MemberId source,
      Consumer<Boolean> paused,
      Runnable missed) {
    this.ground = ground;
    this.settings = settings;
    this.question = question;
    this.adoption = adoption;
    this.source = source;
    this.paused = paused;
    this.missed = missed;
  }

  MemberId source() {
    return source;
  }

  /** Whether the source is known to wait for its own slots. */
  boolean isFromEmptied() {
    return isEmptied;
  }

  /** Begins, or goes on after a rest. */
  void advance() {
    askStatus(this::askPage);
  }

  /** Ends it without a word. */
  void stop() {
    over = true;
  }

  private void askStatus(Runnable next) {
    Patience.ask(
        ground,
        source,
        question,
        settings.timeout(),
        (reply, patience) -> {
          if (over) {
            return;
          }
          if (reply instanceof SyncReply.Status status) {
            isEmptied |= status.rebuilding();
            if (status.wentOnWithout()) {
              missed.run();
            } else if (status.salvaging()) {
              // There will be more than it has now.
              first = null;
              paused.accept(false);
            } else if (first == null || first.life() != status.life()) {
              first = status;
              after = Optional.empty();
              askPage();
            } else {
              next.run();
            }
          } else {
            paused.accept(false);
          }
        });
  }

  private void askPage() {
    Patience.ask(
        ground,
        source,
        new SyncRequest.Copy(ground.self(), after),
        settings.timeout(),
        this::onPage);
  }

  private void onPage(ReplicaReply reply, Patience patience) {
    if (over) {
      return;
    }
    if (reply instanceof ReplicaReply.Page page) {
      adopt(page, patience);
    } else {
      paused.accept(false);
    }
  }

  private void adopt(ReplicaReply.Page page, Patience patience) {
    List<Mutation> records = page.records();
    new Window(
            settings.window(),
            records.size(),
            (index, done) -> adoption.adopt(records.get(index), patience, done),
            adopted -> {
              if (over) {
                return;
              }
              if (!adopted) {
                paused.accept(false);
              } else if (page.next().isPresent()) {
                after = page.next();
                askPage();
              } else {
                // A source that was emptied meanwhile has not given all.
                askStatus(() -> paused.accept(true));
              }
            })
        .start();
  }
}
