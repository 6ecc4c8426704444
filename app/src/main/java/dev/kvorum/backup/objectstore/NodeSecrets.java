package dev.kvorum.backup.objectstore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that a node has itself, for orders without: files, before variables of its
 * environment. Files are read at each order, so that they can be replaced while the node runs.
 */
public final class NodeSecrets {
  /** The file with the encryption key. */
  static final String KEY = "backup.key";

  private final Optional<Path> directory;
  private final Map<String, String> environment;

  /**
   * Secrets of a node.
   *
   * @param directory directory of files that are called as the variables are
   */
  public NodeSecrets(Optional<Path> directory, Map<String, String> environment) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
  }

  /**
   * The access to a store that an order names.
   *
   * @param accessKeyId of the order; null, as the secret: the node's own credentials
   * @param encryptionKey of the order; null: the node's own if there is a {@code keyId}, else none
   * @param keyId the id of the key that this node must have
   * @throws IllegalArgumentException if the node does not have what it needs, or not the same key
   */
  public StoreAccess access(
      StoreUrl url,
      @Nullable String accessKeyId,
      @Nullable String secretAccessKey,
      @Nullable String sessionToken,
      @Nullable String encryptionKey,
      @Nullable String keyId) {
    Credentials credentials =
        accessKeyId == null || secretAccessKey == null
            ? credentials()
            : new Credentials(accessKeyId, secretAccessKey, Optional.ofNullable(sessionToken));
    Optional<EncryptionKey> key =
        encryptionKey == null
            ? Optional.ofNullable(keyId).map(this::key)
            : Optional.of(EncryptionKey.parse(encryptionKey));
    return new StoreAccess(url, credentials, key);
  }

  private Credentials credentials() {
    Map<String, String> variables = new HashMap<>(environment);
    for (String name : List.of(Credentials.ID, Credentials.SECRET, Credentials.TOKEN)) {
      read(name).ifPresent(text -> variables.put(name, text));
    }
    return Credentials.ofEnvironment(variables);
  }

  private EncryptionKey key(String id) {
    EncryptionKey key =
        read(KEY)
            .map(EncryptionKey::parse)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "this node has no file " + KEY + " in kvorum.backup.secrets-dir"));
    if (!key.id().equals(id)) {
      throw new IllegalArgumentException(
          "this node has the encryption key " + key.id() + ", not " + id);
    }
    return key;
  }

  private Optional<String> read(String name) {
    if (directory.isEmpty()) {
      return Optional.empty();
    }
    Path file = directory.get().resolve(name);
    try {
      return Optional.of(Files.readString(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be read", e);
    }
  }
}
