package dev.kvorum.backup.tool;

import dev.kvorum.backup.objectstore.Credentials;
import dev.kvorum.backup.objectstore.ObjectStore;
import dev.kvorum.backup.objectstore.RetryingObjectStore;
import dev.kvorum.backup.objectstore.StoreUrl;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The object store of a command. */
final class StoreOption {
  private static final Duration RETRY_FOR = Duration.ofMinutes(1);

  @Option(
      names = "--store",
      paramLabel = "URL",
      required = true,
      description =
          "object store of the backups: file:///directory or s3://bucket/prefix?endpoint=…")
  private String text = "";

  StoreOption() {}

  StoreUrl url() {
    try {
      return StoreUrl.parse(text);
    } catch (IllegalArgumentException e) {
      throw KvorumBackup.wrong(String.valueOf(e.getMessage()));
    }
  }

  /** The key in the environment, which other users of the machine cannot see. */
  Credentials credentials() {
    try {
      return Credentials.ofEnvironment(System.getenv());
    } catch (IllegalArgumentException e) {
      throw KvorumBackup.wrong(String.valueOf(e.getMessage()));
    }
  }

  boolean needsCredentials() {
    return url().place() instanceof StoreUrl.Bucket;
  }

  /** Opens the store. */
  ObjectStore open() {
    try {
      return new RetryingObjectStore(ObjectStore.open(url(), credentials()), RETRY_FOR);
    } catch (IOException e) {
      throw KvorumBackup.failed(String.valueOf(e.getMessage()));
    }
  }
}
