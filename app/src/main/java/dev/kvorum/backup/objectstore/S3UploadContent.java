package dev.kvorum.backup.objectstore;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ContentStreamProvider;

/**
 * Content as the SDK reads it, once for each attempt. A failure of the content is kept for the
 * caller, and hidden from the SDK, which would take it for one of the network and try again.
 */
final class S3UploadContent implements ContentStreamProvider, AutoCloseable {
  private final String name;
  private final long length;
  private final ObjectStore.Content content;
  private @Nullable InputStream current;
  private @Nullable IOException failure;

  S3UploadContent(String name, long length, ObjectStore.Content content) {
    this.name = name;
    this.length = length;
    this.content = content;
  }

  /** Ends an attempt without a retry. */
  private static final class ContentFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ContentFailedException() {
      super("the content cannot be read");
    }
  }

  @Override
  public InputStream newStream() {
    try {
      close();
      InputStream opened = ExactContent.open(name, length, content);
      current = opened;
      return new Watched(opened);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private RuntimeException failed(IOException e) {
    failure = e;
    return new ContentFailedException();
  }

  void throwFailure() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() throws IOException {
    InputStream before = current;
    current = null;
    if (before != null) {
      before.close();
    }
  }

  private final class Watched extends FilterInputStream {
    Watched(InputStream in) {
      super(in);
    }

    @Override
    public int read() {
      try {
        return in.read();
      } catch (IOException e) {
        throw failed(e);
      }
    }

    @Override
    public int read(byte[] into, int offset, int bytes) {
      try {
        return in.read(into, offset, bytes);
      } catch (IOException e) {
        throw failed(e);
      }
    }

    @Override
    public boolean markSupported() {
      return false;
    }
  }
}
