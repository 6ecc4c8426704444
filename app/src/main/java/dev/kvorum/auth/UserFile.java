package dev.kvorum.auth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of a file, which is read again while the node runs. A file that cannot be used leaves
 * it with those before.
 */
public final class UserFile implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(UserFile.class);

  /** Largest file; 10 000 users with ten rules each have less. */
  private static final long BYTES_MAX = 16 << 20;

  private final AuthSettings settings;
  private final LongSupplier nanoTime;
  private final User anonymous;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("kvorum-auth-reload").factory());
  private final LongAdder reloads = new LongAdder();
  private volatile Users users = Users.NONE;

  /** Used by the timer's thread alone, once that runs. */
  private String text = "";

  private volatile String digest = "";

  /** Why the file cannot be used; null if it can. */
  private volatile @Nullable String trouble;

  private UserFile(AuthSettings settings, LongSupplier nanoTime) {
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.anonymous =
        new User(
            User.ANONYMOUS,
            settings.anonymous().rights(),
            UserLimits.NONE,
            isUsed() ? settings.anonymous().management() : ManagementRight.ADMINISTER);
  }

  /**
   * Reads the file of the settings, if there is one, and from then on again at their interval.
   *
   * @param nanoTime time by which requests of users are limited
   * @throws IllegalArgumentException if it cannot be used
   */
  public static UserFile start(AuthSettings settings, LongSupplier nanoTime) {
    UserFile file = new UserFile(settings, nanoTime);
    if (!file.isUsed()) {
      return file;
    }
    try {
      file.load(file.read());
    } catch (InvalidUsersException | IOException e) {
      file.close();
      throw new IllegalArgumentException(
          "kvorum.auth.file is " + settings.file() + "; " + reason(e), e);
    }
    if (settings.anonymous() == Anonymous.ALL) {
      log.warn("Without credentials everything is allowed (kvorum.auth.anonymous)");
    }
    long millis = settings.reloadInterval().toMillis();
    file.timer.scheduleWithFixedDelay(file::reload, millis, millis, TimeUnit.MILLISECONDS);
    return file;
  }

  private static String reason(Throwable failure) {
    return switch (failure) {
      case InvalidUsersException invalid -> String.valueOf(invalid.getMessage());
      case IOException unreadable -> "it cannot be read: " + unreadable;
      default -> "it cannot be used: " + failure;
    };
  }

  private String read() throws IOException {
    Path file = Path.of(settings.file());
    if (Files.size(file) > BYTES_MAX) {
      throw new IOException("it is larger than " + BYTES_MAX + " bytes");
    }
    return Files.readString(file);
  }

  private void load(String next) throws InvalidUsersException {
    users = UserParser.parse(next, users, nanoTime);
    text = next;
    digest = Users.sha256(next.getBytes(StandardCharsets.UTF_8));
  }

  /** Uses what is in the file now, if it has changed. */
  void reload() {
    try {
      String next = read();
      if (!next.equals(text)) {
        load(next);
        reloads.increment();
        log.info("{} users are in {}", users.count(), settings.file());
      }
      trouble = null;
    } catch (InvalidUsersException | IOException e) {
      cannotUse(reason(e));
    } catch (RuntimeException | Error e) {
      cannotUse(reason(e));
    }
  }

  /** Each reason is logged once, not at each interval. */
  private void cannotUse(String reason) {
    if (!reason.equals(trouble)) {
      log.error("Users stay as they were: {}: {}", settings.file(), reason);
    }
    trouble = reason;
  }

  /** Whether there is a file. Otherwise credentials mean nothing. */
  public boolean isUsed() {
    return !settings.file().isEmpty();
  }

  /** The users of now. */
  public Users users() {
    return users;
  }

  /** Who gives no credentials. */
  public User anonymous() {
    return anonymous;
  }

  /** Whether every request may do everything. */
  public boolean isOpen() {
    return !isUsed() && settings.anonymous() == Anonymous.ALL;
  }

  /** The SHA-256 of the file that is used: an operator sees by it that this node has read it. */
  public String digest() {
    return digest;
  }

  /** Whether the file cannot be used. */
  public boolean isStale() {
    return trouble != null;
  }

  /** How often the users were replaced. */
  public long reloads() {
    return reloads.sum();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
