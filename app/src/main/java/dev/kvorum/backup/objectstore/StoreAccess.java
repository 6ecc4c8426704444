package dev.kvorum.backup.objectstore;

import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What it takes to use an object store.
 *
 * @param key encrypts all objects; empty: none is encrypted
 */
public record StoreAccess(StoreUrl url, Credentials credentials, Optional<EncryptionKey> key) {
  /**
   * Opens the store.
   *
   * @param retryFor how long requests are repeated that fail for a while
   */
  public ObjectStore open(Duration retryFor) throws IOException {
    ObjectStore store = ObjectStore.open(url, credentials);
    return new RetryingObjectStore(
        key.<ObjectStore>map(it -> new EncryptedObjects(store, it)).orElse(store), retryFor);
  }

  /** The name for content with this SHA-256; with a key it does not show it. */
  public String nameOf(String sha256) {
    return key.map(it -> it.secretName(HexFormat.of().parseHex(sha256))).orElse(sha256);
  }
}
