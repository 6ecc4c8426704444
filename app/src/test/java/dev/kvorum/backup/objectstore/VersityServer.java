package dev.kvorum.backup.objectstore;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.kvorum.seeds.Seeds;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * An S3 server as a process of its own, which checks signatures, as those written for tests do not.
 * Its buckets are directories.
 */
public final class VersityServer implements AutoCloseable {
  private static final long START_MAX_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ProcessBuilder builder;
  private final Path log;
  private final Path buckets;
  private final int port;
  private final Credentials credentials;
  private Process process;

  private VersityServer(Path directory, String program) throws IOException {
    byte[] secret = new byte[16];
    Seeds.random().nextBytes(secret);
    credentials = new Credentials("test-root", HexFormat.of().formatHex(secret), Optional.empty());
    buckets = Files.createDirectory(directory.resolve("buckets"));
    log = directory.resolve("versitygw.log");
    port = freePort();
    builder =
        new ProcessBuilder(
            program, "--quiet", "--port", "127.0.0.1:" + port, "posix", buckets.toString());
    builder
        .environment()
        .putAll(
            Map.of(
                "ROOT_ACCESS_KEY", credentials.accessKeyId(),
                "ROOT_SECRET_KEY", credentials.secretAccessKey()));
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    process = builder.start();
  }

  /** Starts one, or skips the test where none is installed. */
  public static VersityServer start(Path directory) throws IOException {
    String program =
        installed()
            .orElseGet(() ->
                abort(
                    "skipped: no versitygw, an S3 server. With Go: go install"
                        + " github.com/versity/versitygw/cmd/versitygw@v1.8.0; then have it on PATH, or"
                        + " name the file in the environment variable VERSITYGW"));
    VersityServer server = new VersityServer(directory, program);
    server.awaitPort();
    return server;
  }

  /** Starts it again after {@link #stop}, on the same port with the same buckets. */
  public void restart() throws IOException {
    process = builder.start();
    awaitPort();
  }

  private static Optional<String> installed() {
    Optional<String> named = Optional.ofNullable(System.getenv("VERSITYGW"));
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return named.or(() ->
        Stream.of(path.split(File.pathSeparator))
            .map(directory -> Path.of(directory, "versitygw"))
            .filter(Files::isExecutable)
            .map(Path::toString)
            .findFirst());
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitPort() throws IOException {
    long begun = System.nanoTime();
    while (!isListening()) {
      if (!process.isAlive() || System.nanoTime() - begun > START_MAX_NANOS) {
        close();
        throw new IOException("versitygw does not start: " + Files.readString(log));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private boolean isListening() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** A URL of a prefix in a bucket that was not used before. */
  public StoreUrl.Bucket newBucket() {
    String name = "test-" + Seeds.uuid();
    try (S3Client client = S3Clients.open(bucket(name), credentials, Duration.ofSeconds(20))) {
      client.createBucket(request -> request.bucket(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bucket(name);
  }

  StoreUrl.Bucket bucket(String name) {
    return (StoreUrl.Bucket) StoreUrl.parse(url(name)).place();
  }

  private String url(String bucket) {
    return "s3://" + bucket + "/some/prefix?endpoint=http://127.0.0.1:" + port;
  }

  /** The URL of {@link #newBucket} as users write it. */
  public String url(StoreUrl.Bucket bucket) {
    return url(bucket.name());
  }

  /** Where the objects of a bucket are. */
  public Path directory(StoreUrl.Bucket bucket) {
    return buckets.resolve(bucket.name());
  }

  public Credentials credentials() {
    return credentials;
  }

  @Override
  public void close() {
    stop();
  }

  /** Stops it; its buckets stay. */
  public void stop() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
