package dev.kvorum.backup.objectstore;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** The body of an object, which throws if the connection ends before it does. */
final class S3Download extends FilterInputStream {
  private final ResponseInputStream<GetObjectResponse> body;
  private final S3Failures failures;
  private final String doing;
  private final long length;
  private long passed;
  private boolean ended;

  S3Download(ResponseInputStream<GetObjectResponse> body, S3Failures failures, String doing) {
    super(body);
    this.body = body;
    this.failures = failures;
    this.doing = doing;
    Long announced = body.response().contentLength();
    this.length = announced == null ? -1 : announced;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] into, int offset, int bytes) throws IOException {
    try {
      int read = body.read(into, offset, bytes);
      if (read >= 0) {
        passed += read;
        return read;
      }
      if (length >= 0 && passed < length) {
        throw new EOFException("the body ended after " + passed + " of " + length + " bytes");
      }
      ended = true;
      return -1;
    } catch (IOException e) {
      throw failures.of(doing, e);
    }
  }

  @Override
  public long skip(long bytes) throws IOException {
    return bytes <= 0 ? 0 : Math.max(0, read(new byte[(int) Math.min(bytes, 8192)]));
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  /** Reads no further: the rest may be gigabytes. */
  @Override
  public void close() throws IOException {
    if (ended) {
      body.close();
    } else {
      body.abort();
    }
  }
}
