package dev.kvorum.background;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.Waiter;
import java.util.Optional;
import java.util.function.Function;

/** Serves this member's records to a peer page by page, within a rate limit. */
public final class ScanServer {
  private final BackgroundContext context;
  private final BackgroundRateLimiter rateLimiter;
  private final ScanLimits limits;

  public ScanServer(
      BackgroundContext context, BackgroundRateLimiter rateLimiter, ScanLimits limits) {
    this.context = context;
    this.rateLimiter = rateLimiter;
    this.limits = limits;
  }

  /**
   * Reads the page behind {@code after} and replies on the loop.
   *
   * @param reply makes the reply, once the rate limit permits it
   */
  public void serve(
      Optional<Key> after,
      Detail detail,
      Waiter<ReplicaReply> waiter,
      Function<ScanResult.Page, ReplicaReply> reply) {
    KeyRange rest = after.map(KeyRange.ALL::after).orElse(KeyRange.ALL);
    context
        .store()
        .scan(
            rest,
            detail,
            limits,
            context.loop(),
            scanned -> {
              switch (scanned) {
                case ScanResult.Unknown unknown ->
                    waiter.reply(new ReplicaReply.Failed(unknown.reason()));
                case ScanResult.Page page
                    when !context.replicas().verifier().areLost(page.mismatched()) ->
                    // These records are being repaired; a page without them would report them as
                    // absent.
                    waiter.reply(ReplicaReply.MISMATCH);
                case ScanResult.Page page ->
                    rateLimiter.after(
                        BackgroundRateLimiter.bytesOf(page, limits),
                        () -> waiter.reply(reply.apply(page)));
              }
            });
  }
}
