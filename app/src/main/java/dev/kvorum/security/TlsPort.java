package dev.kvorum.security;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of one port, from files that are read again while the node runs. Files that
 * cannot be used leave it with those before. Open connections keep what they began with.
 *
 * @param <C> what new connections need, made from the files
 */
public final class TlsPort<C> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TlsPort.class);

  /** Index of the own key among the files. */
  private static final int KEY = 1;

  private final String name;
  private final TlsMode mode;
  private final List<String> files;
  private final Loader<C> loader;
  private final PemDirectory directory;
  private final TlsHandshakes handshakes;
  private final Duration connectionAge;
  private final ScheduledExecutorService timer;
  private final LongAdder reloads = new LongAdder();
  private volatile @Nullable Loaded<C> loaded;

  /** Why the files in the directory cannot be used; null if they can. */
  private volatile @Nullable String trouble;

  /**
   * Makes what connections need.
   *
   * @param <C> what that is
   */
  interface Loader<C> {
    C load(CertifiedKey own, PemDirectory.Snapshot files) throws InvalidCertificateException;
  }

  private record Loaded<C>(PemDirectory.Snapshot files, CertifiedKey own, C content) {}

  private TlsPort(
      String name, TlsMode mode, List<String> files, Loader<C> loader, TlsSettings settings) {
    this.name = name;
    this.mode = mode;
    this.files = files;
    this.loader = loader;
    this.directory = new PemDirectory(Path.of(settings.dir()));
    this.handshakes =
        new TlsHandshakes(name, settings.handshakesMax(), settings.handshakeTimeout());
    this.connectionAge = settings.connectionAgeMax();
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("kvorum-tls-reload-" + name).factory());
  }

  /**
   * Reads the directory of the settings, unless TLS is off, and from then on again at their
   * interval.
   *
   * @param name name of the port
   * @param files names of the files: the own certificate, its key, and others
   * @throws IllegalArgumentException if what is there cannot be used
   */
  static <C> TlsPort<C> start(
      String name, TlsMode mode, List<String> files, Loader<C> loader, TlsSettings settings) {
    TlsPort<C> port = new TlsPort<>(name, mode, files, loader, settings);
    if (mode == TlsMode.OFF) {
      return port;
    }
    try {
      port.loaded = port.load(port.directory.read(files));
    } catch (InvalidCertificateException | IOException e) {
      port.close();
      throw new IllegalArgumentException(
          "kvorum.tls.dir is " + settings.dir() + "; " + reason(e), e);
    }
    long millis = settings.reloadInterval().toMillis();
    port.timer.scheduleWithFixedDelay(port::reload, millis, millis, TimeUnit.MILLISECONDS);
    return port;
  }

  private static String reason(Throwable failure) {
    return switch (failure) {
      case InvalidCertificateException invalid -> String.valueOf(invalid.getMessage());
      case IOException unreadable -> "it cannot be read: " + unreadable;
      default -> "it cannot be used: " + failure;
    };
  }

  private Loaded<C> load(PemDirectory.Snapshot read) throws InvalidCertificateException {
    CertifiedKey own = CertifiedKey.read(read, files.getFirst(), files.get(KEY));
    return new Loaded<>(read, own, loader.load(own, read));
  }

  /** Uses what is in the directory now for new connections, if it has changed. */
  void reload() {
    try {
      PemDirectory.Snapshot read = directory.read(files);
      if (!read.equals(current().files())) {
        Loaded<C> next = load(read);
        requireLasting(next.own().expiry());
        loaded = next;
        reloads.increment();
        log.info(
            "New connections get {} in {}, which expires {}",
            files.getFirst(),
            directory,
            next.own().expiry());
      }
      trouble = null;
    } catch (InvalidCertificateException | IOException e) {
      cannotUse(reason(e));
    } catch (RuntimeException | Error e) {
      cannotUse(reason(e));
    }
  }

  /** An old certificate, put back by mistake, does not replace one that is better. */
  private void requireLasting(Instant expiry) throws InvalidCertificateException {
    if (expiry.isBefore(Instant.now()) && expiry.isBefore(expiry())) {
      throw new InvalidCertificateException(files.getFirst() + " has expired " + expiry);
    }
  }

  /** Each reason is logged once, not at each interval. */
  private void cannotUse(String reason) {
    if (!reason.equals(trouble)) {
      log.error(
          "New connections get the last {}, not that in {}: {}",
          files.getFirst(),
          directory,
          reason);
    }
    trouble = reason;
  }

  private Loaded<C> current() {
    return Objects.requireNonNull(loaded, "TLS is off");
  }

  /** What new connections need. */
  C content() {
    return current().content();
  }

  CertifiedKey own() {
    return current().own();
  }

  /** Returns the handler that secures a connection from its handshake on. */
  SslHandler handler(SslContext context, ByteBufAllocator buffers) {
    return handshakes.handler(context, buffers);
  }

  /** Greatest age of a connection before it is replaced. */
  public Duration connectionAge() {
    return connectionAge;
  }

  /** When a connection of now is to be replaced: up to a quarter earlier, not all at a time. */
  public long connectionEndNanos() {
    long age = connectionAge.toNanos();
    return System.nanoTime() + age - ThreadLocalRandom.current().nextLong(age / 4 + 1);
  }

  /** Name of the port, also that of its setting. */
  public String name() {
    return name;
  }

  public TlsMode mode() {
    return mode;
  }

  /** When the certificate of new connections, or one that has issued it, expires. */
  public Instant expiry() {
    return own().expiry();
  }

  /** SHA-256 of the files in use that are no keys: the own certificate, then the CAs. */
  public String digest() {
    List<String> certificates = new ArrayList<>(files);
    certificates.remove(KEY);
    return current().files().digest(certificates);
  }

  /** Whether the directory has files that cannot be used. */
  public boolean isStale() {
    return trouble != null;
  }

  /** How often the certificate was replaced. */
  public long reloads() {
    return reloads.sum();
  }

  /** Number of handshakes that failed. */
  public long failed() {
    return handshakes.failed();
  }

  /** Number of handshakes that were rejected because too many others waited for a thread. */
  public long rejected() {
    return handshakes.rejected();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    handshakes.close();
  }
}
