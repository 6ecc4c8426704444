package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BoundedParallel;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Streams all records that this member keeps from one source, page by page. After an outage of the
 * source, the stream resumes where it stopped, unless the source's store was emptied.
 */
final class RebuildStream implements StreamQueue.Stream {
  private static final long AGAIN_MILLIS = 200;

  private final BackgroundContext context;
  private final RepairSettings settings;
  private final RepairRequest.AskStatus question;
  private final StreamReceiver receiver;
  private final MemberId source;
  private final Listener listener;
  private RepairReply.@Nullable Status first;
  private Optional<Key> after = Optional.empty();
  private boolean isEmptied;
  private boolean isAskedAgain;
  private boolean over;

  /** Receives what becomes of a stream. */
  interface Listener {
    /** Called each time the stream pauses or ends, with whether it is complete. */
    void onPaused(RebuildStream stream, boolean isComplete);

    /** Called if the source has removed tombstones without this member. */
    void onMissedPurges(MemberId source);
  }

  /** A stream that has not started. */
  RebuildStream(
      BackgroundContext context,
      RepairSettings settings,
      RepairRequest.AskStatus question,
      StreamReceiver receiver,
      MemberId source,
      Listener listener) {
    this.context = context;
    this.settings = settings;
    this.question = question;
    this.receiver = receiver;
    this.source = source;
    this.listener = listener;
  }

  @Override
  public MemberId source() {
    return source;
  }

  /** Whether the source is known to wait for its own slots. */
  boolean isFromEmptied() {
    return isEmptied;
  }

  @Override
  public void advance() {
    isAskedAgain = false;
    askStatus(this::askPage);
  }

  /** Nothing more of its page is stored: the store may be replaced next. */
  @Override
  public void stop() {
    over = true;
  }

  private void askStatus(Runnable next) {
    ReplyDeadline.ask(
        context,
        source,
        question,
        settings.timeout(),
        (reply, replyDeadline) -> {
          if (over) {
            return;
          }
          if (reply instanceof RepairReply.Status status) {
            isEmptied |= status.rebuilding();
            if (status.purgedWithoutAsker()) {
              listener.onMissedPurges(source);
            } else if (status.salvaging()) {
              // The source is still salvaging records.
              first = null;
              listener.onPaused(this, false);
            } else if (first == null || first.life() != status.life()) {
              first = status;
              after = Optional.empty();
              askPage();
            } else {
              next.run();
            }
          } else {
            listener.onPaused(this, false);
          }
        });
  }

  private void askPage() {
    ReplyDeadline.ask(
        context,
        source,
        new RepairRequest.Copy(context.self(), after),
        settings.timeout(),
        this::onPage);
  }

  private void askPageAgain() {
    if (!over) {
      askPage();
    }
  }

  private void onPage(ReplicaReply reply, ReplyDeadline replyDeadline) {
    if (over) {
      return;
    }
    if (reply instanceof ReplicaReply.Page page) {
      applyStreamed(page, replyDeadline);
    } else if (ReplicaReply.NOT_READY.equals(reply) && !isAskedAgain) {
      // One that was cut off asks its peers first what it has missed.
      isAskedAgain = true;
      context.loop().schedule(this::askPageAgain, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      listener.onPaused(this, false);
    }
  }

  private void applyStreamed(ReplicaReply.Page page, ReplyDeadline replyDeadline) {
    List<Mutation> records = page.records();
    new BoundedParallel(
            settings.window(),
            records.size(),
            (index, done) -> store(records.get(index), replyDeadline, done),
            applied -> {
              if (over) {
                return;
              }
              if (!applied) {
                listener.onPaused(this, false);
              } else if (page.next().isPresent()) {
                after = page.next();
                askPage();
              } else {
                // The source was emptied during the stream, which is therefore incomplete.
                askStatus(() -> listener.onPaused(this, true));
              }
            })
        .start();
  }

  private void store(Mutation record, ReplyDeadline replyDeadline, Consumer<Boolean> done) {
    if (over) {
      done.accept(false);
    } else {
      receiver.applyStreamed(record, replyDeadline, done);
    }
  }
}
