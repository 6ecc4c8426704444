package dev.kvorum.node;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.backup.BackupSettings;
import dev.kvorum.backup.Pace;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;

/** Reads checkpoints within the limits of background work. */
public final class BackgroundPace implements Pace {
  private final BackgroundContext context;
  private final BackgroundRateLimiter limiter;

  /** Starts to adjust the rate to clients' reads. */
  public BackgroundPace(BackgroundContext context, BackupSettings settings) {
    this.context = context;
    this.limiter =
        new BackgroundRateLimiter(
            context, settings.bytesPerSecondMax(), settings.latencyMax().toNanos(), bytes -> {});
    context.loop().execute(limiter::start);
  }

  @Override
  public void spend(long bytes) throws InterruptedException {
    CompletableFuture<Void> more = new CompletableFuture<>();
    try {
      context.loop().execute(() -> limiter.after(bytes, () -> more.complete(null)));
      more.get();
    } catch (ExecutionException | RejectedExecutionException e) {
      throw new InterruptedException("the node stops");
    }
  }
}
