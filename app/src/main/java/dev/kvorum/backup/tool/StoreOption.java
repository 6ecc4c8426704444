package dev.kvorum.backup.tool;

import dev.kvorum.backup.objectstore.Credentials;
import dev.kvorum.backup.objectstore.EncryptionKey;
import dev.kvorum.backup.objectstore.ObjectStore;
import dev.kvorum.backup.objectstore.StoreAccess;
import dev.kvorum.backup.objectstore.StoreUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "file with the key that encrypts all objects, made by `kvorum-backup keygen`; default: they"
              + " are not encrypted")
  private @Nullable Path keyFile;

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

  Optional<EncryptionKey> key() {
    if (keyFile == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(EncryptionKey.parse(Files.readString(keyFile)));
    } catch (IOException e) {
      throw KvorumBackup.wrong(keyFile + " cannot be read");
    } catch (IllegalArgumentException e) {
      throw KvorumBackup.wrong(keyFile + ": " + e.getMessage());
    }
  }

  /** Opens the store. */
  ObjectStore open() {
    try {
      return new StoreAccess(url(), credentials(), key()).open(RETRY_FOR);
    } catch (IOException e) {
      throw KvorumBackup.failed(String.valueOf(e.getMessage()));
    }
  }
}
