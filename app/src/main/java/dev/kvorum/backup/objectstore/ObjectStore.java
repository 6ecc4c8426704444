package dev.kvorum.backup.objectstore;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.function.Consumer;

/**
 * Named objects outside of the cluster. Methods block; a store is thread-safe. Names are relative,
 * {@code /}-separated, and consist of letters, digits, {@code .}, {@code _} and {@code -}: any
 * other one is an {@link IllegalArgumentException}, so that none leads out of the store.
 *
 * <p>What fails for the store's sake is an {@link ObjectStoreException}.
 */
public interface ObjectStore extends AutoCloseable {
  /**
   * Opens the store of a URL. A missing directory is created, a missing bucket is not.
   *
   * @param credentials {@link Credentials#NONE} for a directory
   */
  static ObjectStore open(StoreUrl url, Credentials credentials) throws IOException {
    return switch (url.place()) {
      case StoreUrl.Directory directory -> VolumeObjects.open(directory.path(), Clock.systemUTC());
      case StoreUrl.Bucket bucket -> S3Objects.open(bucket, credentials);
    };
  }

  /**
   * Stores an object of this length, visible only when complete and durable; replaces one of that
   * name. An {@link IOException} of the content is passed on as it is.
   *
   * @param content may be opened again for a retry, after the stream before was closed
   */
  void put(String name, long length, Content content) throws IOException;

  /** Stores a small object. */
  default void put(String name, byte[] bytes) throws IOException {
    put(name, bytes.length, () -> new ByteArrayInputStream(bytes));
  }

  /**
   * Opens an object, to be closed by the caller. A stream that ends is complete: if the rest cannot
   * be read, it throws.
   *
   * @throws NoSuchObjectException if there is none of that name
   */
  InputStream get(String name) throws IOException;

  /**
   * Reads a whole small object.
   *
   * @throws NoSuchObjectException if there is none of that name
   * @throws ObjectStoreException also if it has more bytes than expected
   */
  default byte[] read(String name, int bytesMax) throws IOException {
    try (InputStream in = get(name)) {
      byte[] bytes = in.readNBytes(bytesMax);
      if (bytes.length == bytesMax && in.read() >= 0) {
        throw new ObjectStoreException(
            ObjectStoreException.Reason.INVALID,
            "object " + name + " has more than the expected " + bytesMax + " bytes");
      }
      return bytes;
    }
  }

  /**
   * Passes on all objects whose names begin with the prefix, in order of names. Memory does not
   * grow with their number.
   */
  void list(String prefix, Consumer<StoredObject> each) throws IOException;

  /**
   * Deletes an object if there is one. Returns false if there was none, as far as the store knows:
   * S3 does not tell, and returns true.
   */
  boolean delete(String name) throws IOException;

  @Override
  void close();

  /** The bytes of an object that is to be stored. */
  @FunctionalInterface
  interface Content {
    InputStream open() throws IOException;
  }
}
